"""Rules of a hand as calculation. Each has a twin in `static/tournaments/js/rulings`."""
