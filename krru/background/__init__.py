"""Work outside of requests: the schedule, tasks without a broker, mail, the time.

`schedule` elects the process that keeps the schedule. `embedded` keeps it and runs tasks. `mailing`
chooses the mail server, `console_mail` replaces one, `timewatch` notices a set clock.
"""
