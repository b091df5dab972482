"""What is paid, by whom, into which drawer: journal, fees, drawers, receipts."""
