from django.contrib import admin

from labelling.admin import ReadOnlyAdmin
from reports.models import ApiToken, Certificate, ChosenThreshold, ImportJob, Look, Release


@admin.register(Look)
class LookAdmin(ReadOnlyAdmin):
    list_display = ("page", "project", "member", "judge_version", "created")
    list_filter = ("page", "project")
    list_select_related = ("project", "member", "judge_version__judge")
    search_fields = ("member__pseudonym",)


@admin.register(Certificate)
class CertificateAdmin(ReadOnlyAdmin):
    list_display = ("judge_version", "golden_set", "policy", "threshold", "created", "created_by")
    list_filter = ("golden_set__project", "policy")
    list_select_related = ("judge_version__judge", "golden_set", "created_by")
    search_fields = ("judge_version__judge__name", "golden_set__name")


@admin.register(ChosenThreshold)
class ChosenThresholdAdmin(ReadOnlyAdmin):
    list_display = ("judge_version", "way", "created", "created_by")
    list_filter = ("way", "judge_version__judge__project")
    list_select_related = ("judge_version__judge", "created_by")
    search_fields = ("judge_version__judge__name",)


@admin.register(ImportJob)
class ImportJobAdmin(ReadOnlyAdmin):
    list_display = ("name", "project", "member", "state", "dry_run", "attempt", "size", "created", "finished")
    list_filter = ("state", "project")
    list_select_related = ("project", "member")
    search_fields = ("name", "member__pseudonym")


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    list_display = ("name", "project", "prefix", "created", "created_by", "last_used", "revoked")
    list_filter = ("project",)
    list_select_related = ("project", "created_by")
    search_fields = ("name", "prefix")


@admin.register(Release)
class ReleaseAdmin(ReadOnlyAdmin):
    list_display = ("name", "system", "project", "at", "member", "created")
    list_filter = ("project", "system")
    list_select_related = ("project", "member")
    search_fields = ("name", "system")
