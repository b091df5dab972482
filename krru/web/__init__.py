"""What a request passes on its way to a page, and what the page is made of.

From outside in: `network` is where to listen, `certificates` https without an authority,
`connections` their bounds, `hosts` the names that are answered, `turns` who comes first, `known`
which devices staff hold, `pages` Django in threads, `middleware` what every answer needs. Of a
page: `bundles` and `statics` are the files that it loads.
"""
