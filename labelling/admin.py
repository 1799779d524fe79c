"""The administrators' view: what owners set up can be changed, evidence can only be read."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.http import HttpRequest

from labelling.models import (
    Adjudication,
    Answer,
    AnswerLabel,
    Citation,
    Claim,
    Evidence,
    GoldenItem,
    GoldenSet,
    GuideVersion,
    Label,
    Membership,
    PlannedClaim,
    Policy,
    Project,
    SamplingPlan,
    Skip,
    Slot,
    Source,
)
from labelling.services.guides import start_guide
from labelling.services.slots import open_slots

if TYPE_CHECKING:  # the classes take no parameters while running
    ModelAdmin = admin.ModelAdmin[Model]
    TabularInline = admin.TabularInline[Model, Model]
else:
    ModelAdmin = admin.ModelAdmin
    TabularInline = admin.TabularInline


admin.site.site_header = admin.site.site_title = "Touchstone"
admin.site.index_title = "Set-up and evidence"


class ReadOnly:
    """Evidence: to be looked at and searched, never added to, changed or deleted from here."""

    show_full_result_count = False

    def has_add_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        return False


class ReadOnlyAdmin(ReadOnly, ModelAdmin):
    pass


class ReadOnlyInline(ReadOnly, TabularInline):
    extra = 0
    show_change_link = True


@admin.register(Project)
class ProjectAdmin(ModelAdmin):
    list_display = ("name", "slug", "overlap", "consensus_rule", "created")
    list_filter = ("consensus_rule", "illustrative")
    exclude = ("assistance",)  # no page shows suggestions: nothing may be switched on that does nothing
    search_fields = ("name", "slug")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not change:
            start_guide(project=obj, policy=Policy.STRICT)
        elif "overlap" in form.changed_data:
            open_slots(project=obj)

    def get_readonly_fields(self, _request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return ("slug",) if obj is not None else ()  # every address of the project is made of it


@admin.register(Membership)
class MembershipAdmin(ModelAdmin):
    list_display = ("pseudonym", "role", "project", "user")
    list_filter = ("role", "project")
    list_select_related = ("project", "user")
    search_fields = ("pseudonym", "user__username", "project__name")
    raw_id_fields = ("user",)

    def get_readonly_fields(self, _request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return ("project",) if obj is not None else ()


@admin.register(GuideVersion)
class GuideVersionAdmin(ModelAdmin):
    """Read-only once anything was done under the version; new versions are written on the project's own page."""

    list_display = ("project", "number", "policy", "created")
    list_filter = ("policy", "project")
    list_select_related = ("project",)
    search_fields = ("project__name", "text")

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or not guide_is_used(obj.pk))

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or not guide_is_used(obj.pk))

    def get_readonly_fields(self, _request: HttpRequest, _obj: Model | None = None) -> tuple[str, ...]:
        return ("project", "number", "created")


def guide_is_used(version_id: int) -> bool:
    """Whether a label, an adjudication or a golden set was made under the version."""
    under = Q(guide_version=OuterRef("pk"))
    used = (
        Exists(Label.objects.filter(under))
        | Exists(Adjudication.objects.filter(under))
        | Exists(GoldenSet.objects.filter(under))
    )
    return GuideVersion.objects.filter(used, pk=version_id).exists()


@admin.register(Source)
class SourceAdmin(ReadOnlyAdmin):
    list_display = ("external_id", "title", "collection", "version", "project")
    list_filter = ("project",)
    list_select_related = ("project",)
    search_fields = ("external_id", "title")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        rows = super().get_queryset(request)
        match = request.resolver_match
        # The list shows no text, and a source may be long.
        return (
            rows.defer("text", "fields", "meta") if match and match.url_name == "labelling_source_changelist" else rows
        )


@admin.register(Answer)
class AnswerAdmin(ReadOnlyAdmin):
    list_display = ("external_id", "question", "system", "task_type", "split", "project")
    list_filter = ("split", "project")
    list_select_related = ("project",)
    search_fields = ("external_id", "question")


class CitationInline(ReadOnlyInline):
    model = Citation
    fields = ("order", "source", "start", "end")
    raw_id_fields = ("source",)


@admin.register(Claim)
class ClaimAdmin(ReadOnlyAdmin):
    list_display = ("external_id", "text", "kind", "severity", "project")
    list_filter = ("kind", "severity", "targeted", "project")
    list_select_related = ("project",)
    search_fields = ("external_id", "text")
    inlines = (CitationInline,)


@admin.register(Citation)
class CitationAdmin(ReadOnlyAdmin):
    list_display = ("claim", "order", "source", "start", "end")
    list_filter = ("claim__project",)
    list_select_related = ("claim", "source")
    search_fields = ("claim__external_id", "source__external_id")


class EvidenceInline(ReadOnlyInline):
    model = Evidence
    fields = ("source", "start", "end", "quote")


@admin.register(Label)
class LabelAdmin(ReadOnlyAdmin):
    list_display = ("claim", "annotator", "revision", "verdict", "surplus", "withdrawn", "imported", "created")
    list_filter = ("verdict", "invention", "flag", "surplus", "withdrawn", "imported", "claim__project")
    list_select_related = ("claim", "annotator")
    search_fields = ("claim__external_id", "annotator__pseudonym", "note")
    inlines = (EvidenceInline,)


@admin.register(Evidence)
class EvidenceAdmin(ReadOnlyAdmin):
    list_display = ("label", "source", "start", "end", "quote")
    list_filter = ("label__verdict", "source__project")
    list_select_related = ("label", "source")
    search_fields = ("quote", "source__external_id")


@admin.register(Slot)
class SlotAdmin(ReadOnlyAdmin):
    list_display = ("claim", "position", "state", "annotator", "leased_until")
    list_filter = ("state", "project")
    list_select_related = ("claim", "annotator")
    search_fields = ("claim__external_id", "annotator__pseudonym")


@admin.register(Skip)
class SkipAdmin(ReadOnlyAdmin):
    list_display = ("claim", "annotator", "reason", "withdrawn", "created")
    list_filter = ("reason", "withdrawn", "claim__project")
    list_select_related = ("claim", "annotator")
    search_fields = ("claim__external_id", "annotator__pseudonym", "note")


@admin.register(SamplingPlan)
class SamplingPlanAdmin(ReadOnlyAdmin):
    list_display = ("number", "project", "by", "split", "labels", "seed", "frame", "created", "undone")
    list_filter = ("split", "project")
    list_select_related = ("project", "by")
    search_fields = ("project__name", "by__pseudonym")


@admin.register(PlannedClaim)
class PlannedClaimAdmin(ReadOnlyAdmin):
    list_display = ("claim", "plan", "turn", "chance", "at_random", "fresh")
    list_filter = ("at_random", "plan__project")
    list_select_related = ("claim", "plan")
    search_fields = ("claim__external_id",)


@admin.register(AnswerLabel)
class AnswerLabelAdmin(ReadOnlyAdmin):
    list_display = ("answer", "annotator", "revision", "correct", "answer_in_retrieved", "abstained")
    list_filter = ("correct", "answer_in_retrieved", "abstained", "answer__project")
    list_select_related = ("answer", "annotator")
    search_fields = ("answer__external_id", "annotator__pseudonym")


@admin.register(Adjudication)
class AdjudicationAdmin(ReadOnlyAdmin):
    list_display = ("claim", "by", "revision", "verdict", "reason", "imported", "created")
    list_filter = ("verdict", "reason", "imported", "claim__project")
    list_select_related = ("claim", "by")
    search_fields = ("claim__external_id", "by__pseudonym", "note")


@admin.register(GoldenSet)
class GoldenSetAdmin(ReadOnlyAdmin):
    list_display = ("name", "version", "project", "policy", "hash", "created")
    list_filter = ("policy", "project")
    list_select_related = ("project",)
    search_fields = ("name", "hash")


@admin.register(GoldenItem)
class GoldenItemAdmin(ReadOnlyAdmin):
    list_display = ("external_id", "golden_set", "verdict", "split")
    list_filter = ("verdict", "split", "golden_set__project")
    list_select_related = ("golden_set",)
    search_fields = ("external_id",)
