"""Lists of people from files, exports, and what is printed."""
