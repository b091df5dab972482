"""From the command line to a running server."""
