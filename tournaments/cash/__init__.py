"""The journal of money: bookings, accounts, purposes."""
