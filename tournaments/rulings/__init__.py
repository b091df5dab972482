"""Rulings at the table: bets and raises, pots, showdowns, stud; and the record of rulings."""
