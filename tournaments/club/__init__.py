"""The club itself: its settings, its staff devices and how they sign in, its colours and logo."""
