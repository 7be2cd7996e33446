"""The reproduction report of seed paper 003, `bonmun bench --table visual`.

`drawn` pages with their layouts → `entrants`: models by seed, and the training-free methods → `judging`: their answers,
kept in the store → `scores` over the seeds → `tables` beside those of the `paper`, `importances`, `files`; `run` is all
of it.
"""
