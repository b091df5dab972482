"""The reference of money lists every account of the journal and every kind of payment."""

from krru.data.folder import BASE_DIR
from tests.docs_tables import table_after
from tournaments.cash.domain.accounts import Account
from tournaments.cash.domain.means import Means
from tournaments.cash.selectors.means import USUAL_NAMES
from tournaments.cash.selectors.words import ACCOUNTS

PAGE = (BASE_DIR / "docs" / "reference" / "money.md").read_text("utf-8")


def test_every_account_is_listed_in_its_order_and_has_a_name():
    rows = [cells[0].strip("`") for cells in table_after(PAGE, "## Accounts")]
    assert rows == [str(account) for account in Account]
    assert set(ACCOUNTS) == set(Account)


def test_every_kind_of_payment_is_told_and_has_a_name():
    assert all(f"`{means}`" in PAGE for means in Means)
    assert set(USUAL_NAMES) == set(Means)
