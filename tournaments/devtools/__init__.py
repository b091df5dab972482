"""For developers: the evenings of the screenshots and of the benchmarks."""
