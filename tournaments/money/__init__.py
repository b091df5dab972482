"""Money: what a stack is worth, and how those who are left share the prizes."""
