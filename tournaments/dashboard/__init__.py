"""The director's dashboard: its panels, and the due items."""
