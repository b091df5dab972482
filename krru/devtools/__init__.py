"""Tools for developers: the test run, its servers, the benchmarks."""
