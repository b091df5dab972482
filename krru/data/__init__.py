"""What is kept, and where: the folder, the database, Redis, the disk under them.

`folder` is the data folder with its secret, `locks` who serves from it, `disks` how much room it
has, `file_errors` what a file system's no means. `databases` is the database of the settings,
`sqlite` what SQLite is told besides, `by_hand` rows without Django's detours, `outages` a database
that is away, `sealing` what a backup must not show. `broker` is Redis.
"""
