"""Settings, read from the environment.

`docs/reference/settings.md` names them all. Without REDIS_URL the program is *embedded*: one
process, no broker.
"""

import os
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from clock import bus
from krru.background.mailing import mail_server
from krru.data.databases import database_of, redis_url
from krru.data.folder import RESOURCES, data_folder, secret_key, static_folder
from krru.observing.logs import log_folder, log_level, logging_of
from krru.observing.reporting import begin_reporting
from krru.web.hosts import SECONDS_OF_HSTS, PublicSite, public_site

KRRU_DATA: Path = data_folder()
REDIS_URL: str | None = redis_url(os.environ.get("REDIS_URL"))
EMBEDDED: bool = REDIS_URL is None
KRRU_BACKUP: str | None = os.environ.get("KRRU_BACKUP") or None
KRRU_BACKUP_PASSPHRASE: str = os.environ.get("KRRU_BACKUP_PASSPHRASE") or ""
KRRU_OWN_BACKUP: bool = os.environ.get("KRRU_OWN_BACKUP", "") not in {"", "0"}
KRRU_BACKUP_ROOTS: str = os.environ.get("KRRU_BACKUP_ROOTS") or ""

KRRU_METRICS_TOKEN: str = os.environ.get("KRRU_METRICS_TOKEN") or ""
LOG_FOLDER: str = log_folder(os.environ.get("KRRU_LOG"), KRRU_DATA)
LOG_LEVEL: str = log_level(os.environ.get("KRRU_LOG_LEVEL"))

DEBUG = os.environ.get("KRRU_DEBUG", "") not in {"", "0"}
SECRET_KEY = secret_key(KRRU_DATA)

# A laptop in a hall has the address its router gave it today. `krru.web.hosts` checks the names
# before Django, also for streams and files.
ALLOWED_HOSTS = ["*"]
PUBLIC: PublicSite | None = public_site(os.environ.get("KRRU_PUBLIC_URL"))
NAMED_HOSTS: list[str] = [
    *(host.strip() for host in os.environ.get("KRRU_HOSTS", "").split(",") if host.strip()),
    *([PUBLIC.host] if PUBLIC else []),
]
CSRF_TRUSTED_ORIGINS = [PUBLIC.origin] if PUBLIC else []
# Sent on https only. `krru.web.middleware` secures the cookies there.
SECURE_HSTS_SECONDS = SECONDS_OF_HSTS if PUBLIC and PUBLIC.is_https else 0

INSTALLED_APPS = [
    "django.contrib.messages",
    "django.contrib.humanize",
    "django.contrib.staticfiles",
    "django_htmx",
    "krru",
    "clock",
    "tournaments",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    # Before the headers for pages: they would be half of each static file's answer.
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "krru.web.middleware.AnswerMiddleware",
    "krru.web.middleware.NulMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tournaments.changes.views.requests.ActorMiddleware",
]

ROOT_URLCONF = "krru.urls"
WSGI_APPLICATION = "krru.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TAGS = ("hall", "money", "parts", "streams")

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [RESOURCES / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.messages.context_processors.messages",
            ],
            # What nearly every template uses is known to all of them.
            "builtins": [
                "django.contrib.humanize.templatetags.humanize",
                "django.templatetags.i18n",
                "django.templatetags.static",
                "django_htmx.templatetags.django_htmx",
                "krru.templatetags.bundles",
                *(f"tournaments.templatetags.{library}" for library in TAGS),
            ],
        },
    },
]

DATABASES: dict[str, Any] = {"default": database_of(os.environ.get("DATABASE_URL"), KRRU_DATA)}

# "kept" holds entries that no visitor may push out: new secrets and codes. A stranger can flush the
# default cache by asking for many pages.
CACHES: dict[str, Any] = {
    name: {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": name,
        "OPTIONS": {"MAX_ENTRIES": most},
    }
    if REDIS_URL is None
    else {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": name,
        "OPTIONS": {
            "serializer": "krru.data.databases.JsonSerializer",
            **bus.options(REDIS_URL),
        },
    }
    for name, most in (("default", 300), ("kept", 100_000), ("limits", 100_000))
}

globals().update(mail_server(os.environ.get("KRRU_MAIL_URL")))
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = os.environ.get("KRRU_MAIL_FROM") or "krru@localhost"

# Hosts in a network of one's own to which webhooks and pushes may go, also without TLS.
OUTGOING_HOSTS: frozenset[str] = frozenset(
    host.strip().lower()
    for host in os.environ.get("KRRU_OUTGOING_HOSTS", "").split(",")
    if host.strip()
)
# The demonstration sets it: strangers may look, not change.
STRANGERS_LOOK_ONLY = False
# Where to look for a newer release; empty: nowhere.
RELEASES_URL: str = os.environ.get("KRRU_RELEASES_URL") or ""
TELEGRAM_URL: str = os.environ.get("KRRU_TELEGRAM_URL") or "https://api.telegram.org"

LANGUAGE_CODE = "de"
LANGUAGES = [("de", _("Deutsch")), ("en", _("Englisch"))]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [RESOURCES / "locale"]
TIME_ZONE = "Europe/Vienna"
USE_TZ = True
# Off, because it would also write "1.024" into ids and data attributes. Figures for people use the
# filter `intcomma`, which groups by language.
USE_THOUSAND_SEPARATOR = False

STATIC_URL = "/static/"
STATIC_ROOT = static_folder()
WHITENOISE_USE_FINDERS = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "krru.web.bundles.Storage"
    },
}
FIXTURES: Path = RESOURCES / "fixtures"

MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"

# A file with a list of 10,000 people. A form to confirm does not contain the file again.
UPLOAD_LIMIT_BYTES = 10 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = UPLOAD_LIMIT_BYTES
FILE_UPLOAD_MAX_MEMORY_SIZE = UPLOAD_LIMIT_BYTES
# The schedule editor with 100 rows sends the most. Django is slow with more.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "media-src": [SELF],
        "connect-src": [SELF],
        "frame-ancestors": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "object-src": [NONE],
    }
}
PERMISSIONS_POLICY = (
    "autoplay=(self), fullscreen=(self), screen-wake-lock=(self), window-management=(self)"
)
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
# Browsers ignore this header on plain http and warn in the console.
SECURE_CROSS_ORIGIN_OPENER_POLICY = None
X_FRAME_OPTIONS = "SAMEORIGIN"
# Warnings of `check --deploy` solved otherwise: a proxy redirects to https (W008); the middleware
# secures cookies (W016); the club's site shows screens in a frame (W019); other names in the club's
# domain are not ours (W005, W021).
SILENCED_SYSTEM_CHECKS = [f"security.W{number:03d}" for number in (5, 8, 16, 19, 21)]

LOGGING = logging_of(LOG_FOLDER, LOG_LEVEL)
begin_reporting(os.environ.get("KRRU_SENTRY_DSN"))
