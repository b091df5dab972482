"""Undo: dependencies between facts, the undo of each kind, and its preview."""
