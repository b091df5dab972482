"""The one way to change anything, from the press to the log. Knows no other package."""
