"""From a command line to a program that serves.

`commandline` is Django's own with sentences where it cannot start, which `troubles` words. `texts`
compiles the translations, `prepare` makes tables and static files ready, `server` is the process
that serves, `welcome` what the console says then.
"""
