"""Work outside of requests: the schedule, tasks without a broker, mail, the time.

`schedule` keeps the last runs. `embedded` runs tasks where there is no broker. `mailing` chooses
the mail server, `console_mail` replaces one, `timewatch` notices a set clock.
"""
