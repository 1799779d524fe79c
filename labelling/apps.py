from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LabellingConfig(AppConfig):
    name = "labelling"

    def ready(self) -> None:
        from labelling.changes import LABELLING, on_migrated  # noqa: PLC0415 -- after the apps are there

        post_migrate.connect(on_migrated(LABELLING), sender=self, weak=False)
