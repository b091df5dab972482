"""Storage: the data folder, the database, Redis and the disk under them.

`folder` is the data folder with its secret, `locks` its running servers, `disks` its free space,
`file_errors` the words for errors of the file system. `databases` is the database of the settings,
`sqlite` extras for SQLite, `sql` what queries do not say, `outages` a database that is
away, `sealing` secrets hidden from a backup. `broker` is Redis.
"""
