"""The way of a request to a page, and the files of a page.

From outside in: `network` opens the socket, `certificates` gives https without an authority,
`connections` limits connections, `hosts` checks names, `turns` sets the order of requests, `known`
finds staff's devices, `pages` runs Django in threads, `middleware` completes each answer. `bundles`
and `statics` are the files of a page.
"""
