"""The API for scripts, `/api/v1/`: the same actions as on pages, in JSON.

An edge like the views: it finds, authorises, reads the present time, calls one service and answers.
`app` assembles it, the other modules hold the routes by noun.
"""
