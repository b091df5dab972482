"""The protection of the connection to this laptop, and how to verify the laptop."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from krru.web.certificates import shown


@never_cache
@require_safe
def connection(request: HttpRequest) -> HttpResponse:
    """Explain who could listen in, and show the fingerprint of the laptop's own certificate."""
    own = shown(settings.KRRU_DATA)
    return render(request, "public/connection.html", {"own": own, "is_https": request.is_secure()})


@never_cache
@require_safe
def certificate(request: HttpRequest) -> HttpResponse:
    """Send the certificate, to install it on a staff device."""
    own = shown(settings.KRRU_DATA)
    if own is None:
        return redirect("connection")
    response = HttpResponse(own.certificate.read_bytes(), content_type="application/x-x509-ca-cert")
    response["Content-Disposition"] = 'attachment; filename="krru.crt"'
    return response
