import pickle

import pytest

from tournaments.changes.domain.errors import Refused


class Lazy:
    """A text that is chosen when it is read, as a translatable one is."""

    language = "de"

    def __str__(self):
        return {"de": "Der Platz ist besetzt.", "en": "The seat is taken."}[self.language]


def test_a_refusal_carries_reason_and_code():
    with pytest.raises(Refused, match="besetzt") as refusal:
        raise Refused("Der Platz ist besetzt.", code="seat_taken")
    assert refusal.value.code == "seat_taken"
    assert Refused("Nein.").code == "refused"


def test_the_reason_is_rendered_when_it_is_read():
    reason = Lazy()
    refusal = Refused(reason)
    reason.language = "en"
    assert str(refusal) == "The seat is taken."


def test_a_refusal_survives_pickling():
    copy = pickle.loads(pickle.dumps(Refused("Nein.", code="no")))
    assert (copy.reason, copy.code) == ("Nein.", "no")
