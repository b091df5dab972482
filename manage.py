#!/usr/bin/env python3
"""Django's command line in an environment that is there; `start.py manage` makes one first."""

import sys

from krru.starting.commandline import main

if __name__ == "__main__":
    main(sys.argv)
