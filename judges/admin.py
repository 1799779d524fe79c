"""Judges, their versions, runs and judgements: to be read here, never changed."""

from django.contrib import admin

from judges.models import Chunk, Judge, Judgement, JudgeVersion, Run
from labelling.admin import ReadOnlyAdmin


@admin.register(Judge)
class JudgeAdmin(ReadOnlyAdmin):
    list_display = ("name", "type", "project", "created")
    list_filter = ("type", "project")
    list_select_related = ("project",)
    search_fields = ("name",)


@admin.register(JudgeVersion)
class JudgeVersionAdmin(ReadOnlyAdmin):
    list_display = ("judge", "number", "label", "policy", "fingerprint", "created")
    list_filter = ("policy", "judge__project")
    list_select_related = ("judge",)
    search_fields = ("judge__name", "label", "fingerprint")


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ("id", "judge_version", "project", "state", "claims_total", "created", "finished")
    list_filter = ("state", "project")
    list_select_related = ("project", "judge_version__judge")
    search_fields = ("judge_version__judge__name",)


@admin.register(Chunk)
class ChunkAdmin(ReadOnlyAdmin):
    list_display = ("run", "position", "state", "attempt", "leased_until")
    list_filter = ("state",)
    list_select_related = ("run__judge_version__judge",)
    search_fields = ("run__judge_version__judge__name",)


@admin.register(Judgement)
class JudgementAdmin(ReadOnlyAdmin):
    list_display = ("claim", "run", "outcome", "verdict", "score", "cost_usd", "seconds", "replaced", "created")
    list_filter = ("outcome", "verdict", "replaced", "run__project")
    list_select_related = ("claim", "run__judge_version__judge")
    search_fields = ("claim__external_id", "run__judge_version__judge__name")
