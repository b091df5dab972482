"""Files and pasted lists become people and registrations."""
