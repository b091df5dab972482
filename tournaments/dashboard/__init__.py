"""The director's dashboard: its panels, and what is due."""
