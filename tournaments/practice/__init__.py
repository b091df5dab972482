"""Invented events: sample, rehearsals, simulator; and the defaults of a new club."""
