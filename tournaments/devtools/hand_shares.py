"""Writes fixtures/hand-shares.json anew: `python -m tournaments.devtools.hand_shares`.

Pages show shares of all 133,784,560 hands of seven cards; counting them takes a second.
"""

import json

from krru.data.folder import BASE_DIR
from tournaments.rulings.domain.hand_shares import counts_by_category


def main() -> None:
    """Count, and write the counts by kind of hand, the best first."""
    counts = {category.name.lower(): count for category, count in counts_by_category().items()}
    written = json.dumps(dict(reversed(counts.items())), indent=2)
    (BASE_DIR / "fixtures" / "hand-shares.json").write_text(written + "\n", "utf-8")


if __name__ == "__main__":
    main()
