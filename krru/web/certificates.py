"""The laptop's own certificate, for https in a hall without an authority.

It is self-signed, so browsers warn. Comparing its fingerprint with the one on the laptop's screen
proves that it is the laptop's.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from krru.data.folder import appearing
from krru.web.connections import address_in
from krru.web.hosts import own_names
from krru.web.served import served

CERTIFICATE_FILE = "https.crt"
KEY_FILE = "https.key"
LASTS = timedelta(days=397)  # browsers refuse longer ones
RENEWED_BEFORE = timedelta(days=30)
SHORT_BYTES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """The certificate's two files, and its SHA-256 as browsers show it: AB:12:…"""

    certificate: Path
    key: Path
    fingerprint: str

    @property
    def short(self) -> str:
        """Return the part of the fingerprint for people to compare."""
        return ":".join(self.fingerprint.split(":")[:SHORT_BYTES])


def own_certificate(folder: Path) -> Certificate:
    """Return this machine's certificate; make it if missing, too old or for other addresses.

    The key stays, so that a pinned key stays valid.
    """
    path, key_path = folder / CERTIFICATE_FILE, folder / KEY_FILE
    found = _read(path)
    if found is None or not _fits(found) or not key_path.exists():
        found = _made(_key(key_path))
        with appearing(path) as draft:
            draft.write_bytes(found.public_bytes(serialization.Encoding.PEM))
    return _in(folder, found)


def shown(folder: Path) -> Certificate | None:
    """Return the served certificate for people to check; None on plain http.

    Only read: the server keeps the one from its start.
    """
    found = _read(folder / CERTIFICATE_FILE) if served().scheme == "https" else None
    return None if found is None else _in(folder, found)


def _in(folder: Path, found: x509.Certificate) -> Certificate:
    fingerprint = found.fingerprint(hashes.SHA256()).hex(":").upper()
    return Certificate(
        certificate=folder / CERTIFICATE_FILE, key=folder / KEY_FILE, fingerprint=fingerprint
    )


def _names() -> list[x509.GeneralName]:
    own = served()
    found = (address_in(host) for host in (own.host, own.hall_host or ""))
    listening = {str(one) for one in found if one and not one.is_unspecified}
    return [
        *(x509.DNSName(name) for name in sorted(own_names())),
        *(x509.IPAddress(ip_address(one)) for one in sorted({"127.0.0.1", "::1", *listening})),
    ]


def _fits(certificate: x509.Certificate) -> bool:
    known = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    is_fresh = certificate.not_valid_after_utc - RENEWED_BEFORE > datetime.now(UTC)
    return is_fresh and all(name in list(known) for name in _names())


def _read(path: Path) -> x509.Certificate | None:
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except (OSError, ValueError):
        return None


def _key(path: Path) -> ec.EllipticCurvePrivateKey:
    try:
        found = serialization.load_pem_private_key(path.read_bytes(), password=None)
        if isinstance(found, ec.EllipticCurvePrivateKey):
            return found
    except (OSError, ValueError):
        pass
    key = ec.generate_private_key(ec.SECP256R1())
    with appearing(path) as draft:
        draft.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
    return key


def _made(key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "KRRU")])
    now = datetime.now(UTC)
    usage = [ExtendedKeyUsageOID.SERVER_AUTH]
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + LASTS)
        .add_extension(x509.SubjectAlternativeName(_names()), critical=False)
        # Trust in this certificate extends to no other certificate.
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage(usage), critical=False)
        .sign(key, hashes.SHA256())
    )
