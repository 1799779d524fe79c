from django.apps import AppConfig
from django.db.models.signals import post_migrate


class JudgesConfig(AppConfig):
    name = "judges"

    def ready(self) -> None:
        from labelling.changes import Watched, on_migrated  # noqa: PLC0415 -- after the apps are there

        watched = (
            Watched("judges_judge"),
            Watched("judges_judgeversion", points_at="judges_judge", column="judge_id"),
            # What was said in a test of a judge enters no figure of the judge.
            Watched("judges_judgement", points_at="judges_run", column="run_id", where="probe = ''"),
        )
        post_migrate.connect(on_migrated(watched), sender=self, weak=False)
