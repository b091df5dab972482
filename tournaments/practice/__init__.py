"""Invented evenings: the sample, rehearsals, the simulator; and what a new club begins with."""
