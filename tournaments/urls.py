"""The addresses of all areas, put together."""

from tournaments.api import urls as api
from tournaments.cash import urls as cash
from tournaments.cashgame import urls as cashgame
from tournaments.club import urls as club
from tournaments.dashboard import urls as dashboard
from tournaments.door import urls as door
from tournaments.event import urls as event
from tournaments.forecast import urls as forecast
from tournaments.lists import urls as lists
from tournaments.log import urls as log
from tournaments.money import urls as money
from tournaments.play import urls as play
from tournaments.post import urls as post
from tournaments.practice import urls as practice
from tournaments.privacy import urls as privacy
from tournaments.public import urls as public
from tournaments.rebuys import urls as entries
from tournaments.rules import urls as rules
from tournaments.rulings import urls as rulings
from tournaments.screens import urls as screens
from tournaments.seasons import urls as seasons
from tournaments.seating import urls as seating
from tournaments.undo import urls as undo

urlpatterns = [
    # Most requests are for these, and each looks at one address after the other.
    *public.urlpatterns,
    *api.urlpatterns,
    *dashboard.urlpatterns,
    *practice.urlpatterns,
    *screens.urlpatterns,
    *log.urlpatterns,
    *undo.urlpatterns,
    *privacy.urlpatterns,
    *lists.urlpatterns,
    *seasons.urlpatterns,
    *money.urlpatterns,
    *cashgame.urlpatterns,
    *rulings.urlpatterns,
    *forecast.urlpatterns,
    *play.urlpatterns,
    *entries.urlpatterns,
    *door.urlpatterns,
    *cash.urlpatterns,
    *seating.urlpatterns,
    *club.urlpatterns,
    *rules.urlpatterns,
    *event.urlpatterns,
    *post.urlpatterns,
]
