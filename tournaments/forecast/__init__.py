"""When an evening will be over: the rate at which people go out, and what follows from it."""
