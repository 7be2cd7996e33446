"""``python -m bonmun``: the command line."""

if __name__ == "__main__":
    # Inside, because every worker process imports this module and needs no command line.
    from bonmun.cli import main

    main()
