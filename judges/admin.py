"""Judges, versions, runs and judgements in the administrators' view: to be looked at, never changed."""

from django.contrib import admin

from judges.models import Chunk, Judge, Judgement, JudgeVersion, Run
from labelling.admin import ReadOnlyAdmin


@admin.register(Judge)
class JudgeAdmin(ReadOnlyAdmin):
    list_display = ("name", "type", "project", "created")
    list_filter = ("type", "project")
    search_fields = ("name", "project__name")
    list_select_related = ("project",)


@admin.register(JudgeVersion)
class JudgeVersionAdmin(ReadOnlyAdmin):
    list_display = ("judge", "number", "label", "policy", "fingerprint", "created")
    list_filter = ("policy", "judge__project")
    search_fields = ("judge__name", "label", "fingerprint")
    list_select_related = ("judge",)


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ("id", "judge_version", "project", "probe", "state", "claims_total", "created", "finished")
    list_filter = ("state", "probe", "project")
    search_fields = ("judge_version__judge__name", "project__name")
    list_select_related = ("judge_version__judge", "project")


@admin.register(Chunk)
class ChunkAdmin(ReadOnlyAdmin):
    list_display = ("run_id", "position", "state", "attempt", "losses", "leased_until")
    list_filter = ("state",)
    search_fields = ("run__judge_version__judge__name",)


@admin.register(Judgement)
class JudgementAdmin(ReadOnlyAdmin):
    list_display = ("id", "run_id", "claim", "outcome", "verdict", "score", "replaced", "created")
    list_filter = ("outcome", "verdict", "replaced", "run__project")
    search_fields = ("claim__external_id", "reason")
    list_select_related = ("claim",)
