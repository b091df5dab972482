"""Taking back: what rests on what, how each kind is taken back, and the preview of it."""
