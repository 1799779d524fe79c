from django.urls import URLPattern, URLResolver, path

from reports.views import (
    api,
    certificates,
    comparison,
    groundedness,
    importing,
    judges,
    panels,
    probes,
    releases,
    tokens,
    trends,
)

app_name = "reports"
urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<slug:slug>/import/", importing.imports, name="imports"),
    path("p/<slug:slug>/import/<uuid:token>/", importing.import_job, name="import-job"),
    path("p/<slug:slug>/import/<uuid:token>/progress/", importing.import_progress, name="import-progress"),
    path("p/<slug:slug>/import/<uuid:token>/rejects.jsonl", importing.import_rejects, name="import-rejects"),
    path("p/<slug:slug>/panels/new/", panels.panel_new, name="panel-new"),
    path("p/<slug:slug>/compare/", comparison.comparison, name="comparison"),
    path("p/<slug:slug>/compare/<slug:judge>/v<int:number>/", judges.judge, name="judge"),
    path("p/<slug:slug>/compare/<slug:judge>/v<int:number>/claims/", judges.cell, name="cell"),
    path("p/<slug:slug>/compare/<slug:judge>/v<int:number>/threshold/", judges.threshold_save, name="threshold-save"),
    path("p/<slug:slug>/judges/<slug:judge>/v<int:number>/tests/", probes.probes, name="probes"),
    path("p/<slug:slug>/runs/<int:run_id>/test/", probes.probe, name="probe"),
    path("p/<slug:slug>/looks/", certificates.looks, name="looks"),
    path(
        "p/<slug:slug>/compare/<slug:judge>/v<int:number>/certificate/",
        certificates.certificate_issue,
        name="certificate-issue",
    ),
    path("p/<slug:slug>/report/", groundedness.groundedness, name="groundedness"),
    path("p/<slug:slug>/report/groundedness.<str:kind>", groundedness.groundedness_file, name="groundedness-file"),
    path("p/<slug:slug>/trends/", trends.trends, name="trends"),
    path("p/<slug:slug>/trends/trends.<str:kind>", trends.trends_file, name="trends-file"),
    path("p/<slug:slug>/releases/", releases.releases, name="releases"),
    path("p/<slug:slug>/releases/<int:release_id>/", releases.release, name="release"),
    path("p/<slug:slug>/releases/<int:release_id>/remove/", releases.release_remove, name="release-remove"),
    path("p/<slug:slug>/tokens/", tokens.tokens, name="tokens"),
    path("p/<slug:slug>/tokens/<int:token_id>/revoke/", tokens.token_revoke, name="token-revoke"),
    path("api/v1/check", api.check, name="api-check"),
    path("api/v1/openapi.json", api.openapi, name="api-openapi"),
]
