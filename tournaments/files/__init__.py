"""Tables as files, and uploads kept for later: bytes to rows and back."""
