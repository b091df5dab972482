"""Questions to the database, by noun. They never change anything."""
