"""Lists of people from files, exports, and printed papers."""
