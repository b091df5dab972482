"""The big screens: their content, and a director's control of them."""
