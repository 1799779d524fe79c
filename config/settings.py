"""Every setting of Touchstone, read from the environment.

Nothing needs to be set for a demo: `TOUCHSTONE_DEMO=1` brings a throw-away secret and plain http. Outside the demo a
secret and the host names must be given, and cookies and headers are the strict ones.
"""

from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from environs import Env, EnvError
from marshmallow import ValidationError
from marshmallow.validate import OneOf, Range

BASE_DIR = Path(__file__).resolve().parent.parent
env = Env()

DEMO = env.bool("TOUCHSTONE_DEMO", False)
DEBUG = env.bool("DJANGO_DEBUG", False)
VAR_DIR = env.path("TOUCHSTONE_VAR", BASE_DIR / "var")
VAR_DIR.mkdir(parents=True, exist_ok=True)

if DEMO:
    SECRET_KEY = env.str("DJANGO_SECRET_KEY", "demo-only-not-a-secret-and-refused-outside-the-demo")
    ALLOWED_HOSTS = env.list("DJANGO_ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
else:
    SECRET_KEY = env.str("DJANGO_SECRET_KEY")
    ALLOWED_HOSTS = env.list("DJANGO_ALLOWED_HOSTS", [])
    if "demo-only" in SECRET_KEY:
        raise EnvError('Environment variable "DJANGO_SECRET_KEY" invalid: the demo secret is refused outside the demo')

INSTALLED_APPS = [
    "labelling",
    "judges",
    "reports",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "axes",
    "csp",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- data -----------------------------------------------------------------------------------------------------------
DATABASE_URL = env.str("DATABASE_URL", f"sqlite:///{VAR_DIR / 'touchstone.sqlite3'}")
DATABASES = {"default": dj_database_url.parse(DATABASE_URL)}
# Kept open between requests, on SQLite too: a new connection reads the whole schema and begins with an empty cache.
DATABASES["default"]["CONN_MAX_AGE"] = env.int("DATABASE_CONN_MAX_AGE", 60, validate=Range(min=0))
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # WAL lets readers go on while one writes; IMMEDIATE takes the write lock at BEGIN, so that a transaction that
    # reads and then writes waits its turn instead of failing half-way.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-65536;",
    }
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Figures are kept under a stamp of the data they were made from, so an old one is never shown; it only takes room.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": str(VAR_DIR / "cache"),
        "TIMEOUT": 7 * 24 * 3600,
        "OPTIONS": {"MAX_ENTRIES": 2000},
    }
}
# What takes longer to make than so many seconds is shown on pages as it was a moment ago, which they say.
FIGURES_SLOW_AFTER_S = env.float("TOUCHSTONE_FIGURES_SLOW_AFTER_SECONDS", 1.0, validate=Range(min=0))

# --- people ---------------------------------------------------------------------------------------------------------
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "labelling:home"
LOGOUT_REDIRECT_URL = "sign-in"
SESSION_COOKIE_AGE = env.int("SESSION_COOKIE_AGE", 14 * 24 * 3600, validate=Range(min=60))
# Throttled sign-in: after five misses for a name from one address, a quarter of an hour of silence.
AXES_FAILURE_LIMIT = env.int("SIGN_IN_FAILURE_LIMIT", 5, validate=Range(min=1))
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "registration/locked_out.html"
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False

# --- the browser ----------------------------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_TLS = env.bool("TOUCHSTONE_TLS", not DEMO)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_TLS
SECURE_SSL_REDIRECT = SECURE_TLS
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", 365 * 24 * 3600 if SECURE_TLS else 0, validate=Range(min=0))
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE_TLS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("TOUCHSTONE_BEHIND_PROXY", False) else None
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"

STATIC_URL = "static/"
STATIC_ROOT = env.path("STATIC_ROOT", VAR_DIR / "static")
STATICFILES_DIRS = [BASE_DIR / "static"]
# Served with hashed names once `collectstatic` has run; straight from the tree in the demo, in tests and with DEBUG.
COLLECTED = env.bool("TOUCHSTONE_COLLECTED_STATIC", not (DEMO or DEBUG))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "whitenoise.storage.CompressedManifestStaticFilesStorage"
            if COLLECTED
            else "django.contrib.staticfiles.storage.StaticFilesStorage"
        )
    },
}
WHITENOISE_USE_FINDERS = not COLLECTED
if not COLLECTED:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # empty, but whitenoise wants it to be there
MEDIA_ROOT = VAR_DIR / "uploads"
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# --- workers --------------------------------------------------------------------------------------------------------
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", "filesystem://localhost/")
if CELERY_BROKER_URL.startswith("filesystem://"):
    BROKER_DIR = VAR_DIR / "broker"
    BROKER_DIR.mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {"folder": str(BROKER_DIR), "polling_interval": 0.05}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Threads in one process start in a moment and leave nothing behind when it is killed; judges wait for a network or
# compute outside the interpreter lock. For checks over many claims start more processes, or `--pool prefork`.
CELERY_WORKER_POOL = env.str("TOUCHSTONE_WORKER_POOL", "threads", validate=OneOf(["threads", "solo", "prefork"]))
CELERY_WORKER_CONCURRENCY = env.int("TOUCHSTONE_WORKER_CONCURRENCY", 2, validate=Range(min=1))
CELERY_WORKER_ENABLE_REMOTE_CONTROL = not CELERY_BROKER_URL.startswith("filesystem://")
# How often each worker looks for lost work and announces it again. Rows are the queue; a message only wakes a worker up.
SWEEP_SECONDS = env.float("TOUCHSTONE_SWEEP_SECONDS", 15.0, validate=Range(min=0.1))
# How long a worker may hold some claims of a run without a sign of life before another may take them.
LEASE_SECONDS = env.float("TOUCHSTONE_LEASE_SECONDS", 60.0, validate=Range(min=0.5))
# How long one message keeps a worker on one run before other work gets its turn.
RUN_TURN_SECONDS = env.float("TOUCHSTONE_RUN_TURN_SECONDS", 20.0, validate=Range(min=0.1))
# How many workers are woken up for one run.
RUN_WORKERS = env.int("TOUCHSTONE_RUN_WORKERS", 4, validate=Range(min=1))


# --- paid judges ----------------------------------------------------------------------------------------------------
def _object(value: object) -> None:
    if not isinstance(value, dict):
        raise ValidationError("expected a JSON object")


def _endpoints(value: object) -> None:
    _object(value)
    for name, address in cast("dict[str, object]", value).items():
        parts = urlsplit(str(address))
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise ValidationError(
                f"the address of {name!r} has a user name, a password or a query in it; expected none, since addresses are kept "
                "and shown: a key goes into TOUCHSTONE_ENDPOINT_KEY_ and the name"
            )


# Keys are read from the environment by the judge that needs one, when it is built; they are no settings.
ANTHROPIC_BASE_URL = env.str("ANTHROPIC_BASE_URL", "") or None
# Endpoints that speak the OpenAI chat protocol, name to address, as JSON. The key of the endpoint "local" is in
# TOUCHSTONE_ENDPOINT_KEY_LOCAL. A judge names an endpoint, never an address: keys go only where the operator said.
JUDGE_ENDPOINTS = cast("dict[str, str]", env.json("TOUCHSTONE_ENDPOINTS", {}, validate=_endpoints))
# Prices that the built-in table lacks or has wrong: {"model": {"read": 5, "written": 25}}, dollars a million tokens.
JUDGE_PRICES = cast("dict[str, object]", env.json("TOUCHSTONE_PRICES", {}, validate=_object))
# For each service, in each worker process: calls at once, and calls begun in a minute (0: as many as come).
JUDGE_CALLS_AT_ONCE = env.int("TOUCHSTONE_CALLS_AT_ONCE", 32, validate=Range(min=1, max=512))
JUDGE_CALLS_PER_MINUTE = env.int("TOUCHSTONE_CALLS_PER_MINUTE", 0, validate=Range(min=0))
# Seconds until a call is given up, tries of one claim, and the longest wait between two, whatever the service asks for.
JUDGE_CALL_SECONDS = env.float("TOUCHSTONE_CALL_SECONDS", 120.0, validate=Range(min=0.1))
JUDGE_CALL_ATTEMPTS = env.int("TOUCHSTONE_CALL_ATTEMPTS", 6, validate=Range(min=1))
JUDGE_CALL_FIRST_WAIT = env.float("TOUCHSTONE_CALL_FIRST_WAIT", 1.0, validate=Range(min=0))
JUDGE_CALL_LONGEST_WAIT = env.float("TOUCHSTONE_CALL_LONGEST_WAIT", 60.0, validate=Range(min=0))
# How often a batch that was handed in is looked at.
JUDGE_BATCH_POLL_SECONDS = env.float("TOUCHSTONE_BATCH_POLL_SECONDS", 30.0, validate=Range(min=0.01))

# --- answers that programs post -----------------------------------------------------------------------------------
# Bytes of a request, refused before they are read; requests of one token in a minute (0: as many as come).
API_MAX_BYTES = env.int("TOUCHSTONE_API_MAX_BYTES", 2 * 1024 * 1024, validate=Range(min=1024))
API_CALLS_PER_MINUTE = env.int("TOUCHSTONE_API_CALLS_PER_MINUTE", 120, validate=Range(min=0))
# Seconds after which a judge is asked about no further claim of a request; what is going on is waited for.
API_JUDGE_SECONDS = env.float("TOUCHSTONE_API_JUDGE_SECONDS", 60.0, validate=Range(min=0.1))

# --- the rest -------------------------------------------------------------------------------------------------------
LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
LOG_LEVEL = env.str(
    "TOUCHSTONE_LOG_LEVEL", "WARNING", validate=OneOf(["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"])
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
}
