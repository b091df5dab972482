"""The interface against its own description: Schemathesis makes requests up, good and bad ones.

All its checks are on. Two expectations are ours: a request of the right form may still be refused
(422, with a sentence), and whoever asks in the wrong form is told so by 401, 403, 404, 405 or 422.
Every request is rolled back, so that each meets the same evening.
"""

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, settings
from schemathesis.config import SchemathesisConfig

from krru.wsgi import application
from tests import factories as f
from tournaments.api.app import interface

pytestmark = pytest.mark.django_db

# The bounds of every field, one by one, are a thousand requests: looked at by `--long`.
IS_LONG = settings.get_current_profile_name() == "long"
EXAMPLES = 50 if IS_LONG else 5
EXPECTED = ["2xx", "401", "403", "404", "422"]
CONFIG = {
    "checks": {"positive_data_acceptance": {"expected-statuses": EXPECTED}},
    "phases": {"coverage": {"enabled": IS_LONG}},
}

schema = schemathesis.openapi.from_dict(
    interface.get_openapi_schema(), config=SchemathesisConfig.from_dict(CONFIG)
)
schema.app = application


@pytest.fixture(autouse=True)
def one_connection():
    """Keep the server from closing the connection that holds the test's transaction."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def ids(event):
    """What stands in the addresses."""
    return {
        "slug": event.slug,
        "registration": f.register(event, "Zoe Zart", at=f.after(2)).pk,
        "entry": f.entries_of(event)[0].pk,
        "number": 1,
        "action": f.out(event, f.entries_of(event)[-1]).pk,
    }


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_route_keeps_to_its_description(case, ids, director):
    if case.meta is None or not case.meta.is_negative_at("path"):
        case.path_parameters.update({name: ids[name] for name in case.path_parameters})
    # Werkzeug's client does not unpack what is sent compressed.
    headers = {**director.headers, "Accept-Encoding": "identity"}
    with transaction.atomic():
        case.call_and_validate(headers=headers)
        transaction.set_rollback(True)
