"""What developers need and a club does not: the test run, its servers, the benchmarks."""
