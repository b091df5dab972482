"""The program's interface for scripts, `/api/v1/`: what the pages do, told in JSON.

An edge like the views: it finds, authorises, reads the present time, calls one service, and says
what came of it. `app` puts it together, the other modules hold the routes by noun.
"""
