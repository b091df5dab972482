"""The log as pages and files: read, searched, checked."""
