"""The people a club knows, and who of them is registered at an event."""
