"""Report errors to the operator's Sentry: the fault, and no personal data.

Without the setting nothing is loaded and nothing leaves the machine.
"""

import json
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from krru import __version__
from krru.observing.logs import SECRET_PART


def begin_reporting(address: str | None) -> None:
    """Report errors to a Sentry from now on; without an address do nothing.

    :param address: the DSN of a project, as Sentry hands it out
    :raises ImproperlyConfigured: It is none.
    """
    if not address:
        return
    import sentry_sdk  # noqa: PLC0415 - loaded where it is wanted
    from sentry_sdk.integrations.django import DjangoIntegration  # noqa: PLC0415
    from sentry_sdk.utils import BadDsn  # noqa: PLC0415

    try:
        sentry_sdk.init(
            address,
            release=f"krru@{__version__}",
            integrations=[DjangoIntegration(middleware_spans=False, signals_spans=False)],
            auto_enabling_integrations=False,
            # Forms, variables and statements hold people's names.
            include_local_variables=False,
            max_request_body_size="never",
            max_breadcrumbs=0,
            before_send=told,
        )
    except BadDsn as error:
        raise ImproperlyConfigured(
            "KRRU_SENTRY_DSN ist keine Adresse wie https://schlüssel@sentry.example.org/7."
        ) from error


def told(event: Any, hint: dict[str, Any]) -> Any:
    """Strip personal data from an event; None for an outage, which is no fault of the program.

    >>> told({"request": {"url": "https://a.at/p/0123456789abcdef/", "cookies": "k"}}, {})
    {'request': {'url': 'https://a.at/p/…/'}}
    """
    from krru.data.outages import outage_of  # noqa: PLC0415 - needs Django set up
    from krru.observing.requests import request_id  # noqa: PLC0415 - hosts are read after the settings

    error = (hint.get("exc_info") or (None, None))[1]
    if error is not None and outage_of(error) is not None:
        return None
    for part in ("cookies", "data", "query_string", "headers", "env"):
        event.get("request", {}).pop(part, None)
    event.pop("user", None)
    if (number := request_id()) != "-":
        event.setdefault("tags", {})["request"] = number
    return json.loads(SECRET_PART.sub("…", json.dumps(event, default=str, ensure_ascii=False)))
