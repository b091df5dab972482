"""The season: leagues over tournaments, what players have done."""
