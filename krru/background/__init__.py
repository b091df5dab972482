"""What goes on beside the requests: the schedule, tasks without a broker, mail, the time.

`schedule` says which process keeps the schedule, `embedded` keeps it and runs tasks, `mailing` says
where mail goes, `console_mail` is where there is no mail server, `timewatch` sees the clock set.
"""
