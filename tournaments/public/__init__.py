"""The public pages, and a player's own page."""
