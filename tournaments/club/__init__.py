"""The club: its settings, staff devices and their sign-in, its colour and logo."""
