"""Tables as files, and files that wait: bytes to rows and back, whatever the rows mean."""
