"""For developers: the events of the screenshots and benchmarks."""
