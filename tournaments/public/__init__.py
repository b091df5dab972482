"""The pages for everybody, and a player's own page."""
