"""Work outside of requests: the schedule, tasks without a broker, mail, the time."""
