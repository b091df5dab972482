"""From the command line to a running server.

`commandline` is Django's with clear errors, worded by `troubles`. `texts` compiles the
translations, `prepare` makes tables and static files ready, `server` is the server process,
`welcome` its greeting on the console.
"""
