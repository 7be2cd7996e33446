"""The screens in the browser: server-rendered templates and small scripts, all files local, no build step.

::

    views         the routes of the screens
    rendering     templates with the words and the theme that the reader chose
    languages     the words of the interface, one file for each screen and language
    static_files  scripts and style sheets by versioned address
"""
