"""The product's settings with one address more: the baseline that the labelling page is measured against."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "bench.labelling_urls"
