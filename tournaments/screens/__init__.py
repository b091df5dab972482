"""The big screens: what they show, and where a director directs them."""
