"""The season: leagues over tournaments, players' records."""
