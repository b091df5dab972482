"""The club's people and their registrations at events."""
