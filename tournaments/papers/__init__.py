"""What is printed or exported: lists, slips, reports, tables as files."""
