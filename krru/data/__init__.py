"""Storage: the data folder, the database, Redis and the disk under them."""
