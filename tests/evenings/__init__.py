"""Evenings with books of their own, by the rule's text: played as written, or by chance."""
