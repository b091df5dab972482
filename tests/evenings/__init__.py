"""Evenings of money and of cash tables, played with books of their own, by the rule's text."""
