"""The journal of money: what is booked, to which account, and what it was for."""
