"""The interface for scripts."""
