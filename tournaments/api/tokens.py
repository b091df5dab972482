"""The rights of a token."""

from typing import Any

from ninja import Router

from tournaments.api.requests import READS, ApiRequest, Token
from tournaments.api.schemas import TokenOut
from tournaments.models import Grant

router = Router(tags=["Token"])


@router.get("/token", auth=Token(is_needed=True), response={200: TokenOut, **READS})
def token(request: ApiRequest) -> dict[str, Any]:
    """Return this token's roles with their tournaments."""
    assert request.holder is not None
    grants = Grant.objects.filter(device=request.holder, revoked_at__isnull=True)
    roles = grants.order_by("pk").values_list("role", "event__slug")
    return {
        "name": request.holder.name,
        "roles": [{"role": role, "event": slug} for role, slug in roles],
    }
