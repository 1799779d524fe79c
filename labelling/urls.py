from django.urls import URLPattern, URLResolver, path

from labelling.views import adjudications, golden, guides, home, labelling, people, projects

app_name = "labelling"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("projects/new/", projects.project_create, name="project-create"),
    path("p/<slug:slug>/", projects.project, name="project"),
    path("p/<slug:slug>/label/", labelling.label, name="label"),
    path("p/<slug:slug>/label/next/", labelling.label_next, name="label-next"),
    path("p/<slug:slug>/label/state/", labelling.label_state, name="label-state"),
    path("p/<slug:slug>/label/undo/", labelling.label_undo, name="label-undo"),
    path("p/<slug:slug>/label/<int:claim_id>/", labelling.label_claim, name="label-claim"),
    path("p/<slug:slug>/label/<int:claim_id>/skip/", labelling.label_skip, name="label-skip"),
    path("p/<slug:slug>/settings/", projects.settings, name="settings"),
    path("p/<slug:slug>/people/", people.people, name="people"),
    path("p/<slug:slug>/people/add/", people.member_add, name="member-add"),
    path("p/<slug:slug>/people/account/", people.account_create, name="account-create"),
    path("p/<slug:slug>/people/<int:member_id>/role/", people.member_role, name="member-role"),
    path("p/<slug:slug>/people/<int:member_id>/attach/", people.member_attach, name="member-attach"),
    path("p/<slug:slug>/people/<int:member_id>/remove/", people.member_remove, name="member-remove"),
    path("p/<slug:slug>/guide/", guides.guide, name="guide"),
    path("p/<slug:slug>/guide/panel/", guides.guide_panel, name="guide-panel"),
    path("p/<slug:slug>/guide/edit/", guides.guide_edit, name="guide-edit"),
    path("p/<slug:slug>/guide/preview/", guides.guide_preview, name="guide-preview"),
    path("p/<slug:slug>/guide/versions/", guides.guide_versions, name="guide-versions"),
    path("p/<slug:slug>/guide/versions/<int:number>/", guides.guide_version, name="guide-version"),
    path("p/<slug:slug>/adjudicate/", adjudications.adjudicate, name="adjudicate"),
    path("p/<slug:slug>/adjudicate/unclear/", adjudications.adjudicate_unclear, name="adjudicate-unclear"),
    path("p/<slug:slug>/adjudicate/<int:claim_id>/", adjudications.adjudicate_claim, name="adjudicate-claim"),
    path("p/<slug:slug>/golden/", golden.golden, name="golden"),
    path("p/<slug:slug>/golden/<slug:name>/v<int:number>/", golden.golden_set, name="golden-set"),
    path(
        "p/<slug:slug>/golden/<slug:name>/v<int:before>/v<int:number>/",
        golden.golden_difference,
        name="golden-difference",
    ),
    path("p/<slug:slug>/golden/<slug:name>/v<int:number>/<str:kind>", golden.golden_download, name="golden-download"),
]
