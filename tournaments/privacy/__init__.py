"""People's data: show, export and erase them."""
