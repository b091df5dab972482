"""The way of a request to a page, and the files of a page."""
