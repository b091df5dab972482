"""The one way to change anything, from the press to the log. It knows no other area."""
