"""The log as pages and files: read, search, verify."""
