"""Hold what ties the program together: settings, urls, server, tasks, backups. No poker."""

__version__ = "0.2.0"
