"""Storage: the data folder, the database, Redis and the disk under them.

`folder` is the data folder with its secret, `locks` its running servers, `disks` its free space
and errors of the file system in words. `databases` is the database and Redis of the settings, `sql`
what queries do not say, `outages` a database that is away, `sealing` secrets hidden from a backup.
"""
