from django.urls import URLPattern, URLResolver, path

from judges.views import cascades, extraction, judges, prompts, runs, versions

app_name = "judges"
urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<slug:slug>/claims/", extraction.extraction, name="extraction"),
    path("p/<slug:slug>/claims/extract/", extraction.extraction_start, name="extraction-start"),
    path("p/<slug:slug>/claims/progress/", extraction.extraction_progress, name="extraction-progress"),
    path("p/<slug:slug>/claims/stop/", extraction.extraction_stop, name="extraction-stop"),
    path("p/<slug:slug>/claims/<int:draft_id>/", extraction.draft, name="draft"),
    path("p/<slug:slug>/claims/<int:draft_id>/set-aside/", extraction.draft_set_aside, name="draft-set-aside"),
    path("p/<slug:slug>/judges/", judges.judges, name="judges"),
    # Beside the judges and not among them: a judge may have any name.
    path("p/<slug:slug>/new-judge/cascade/", cascades.cascade_new, name="cascade-new"),
    path("p/<slug:slug>/new-judge/<slug:type_name>/", judges.judge_new, name="judge-new"),
    path("p/<slug:slug>/judges/<slug:judge>/new-version/", judges.version_new, name="version-new"),
    path("p/<slug:slug>/judges/<slug:judge>/versions/", versions.versions, name="versions"),
    path("p/<slug:slug>/judges/<slug:judge>/v<int:number>/", versions.version, name="version"),
    path("p/<slug:slug>/judges/<slug:judge>/v<int:number>/run/", versions.run_start, name="run-start"),
    path("p/<slug:slug>/judges/<slug:judge>/v<int:number>/forecast/", versions.run_forecast, name="run-forecast"),
    path("p/<slug:slug>/judges/<slug:judge>/v<int:number>/dry-run/", versions.dry_run, name="dry-run"),
    path("p/<slug:slug>/judges/<slug:judge>/v<int:number>/prompt/", prompts.prompt, name="prompt"),
    path("p/<slug:slug>/judges/<slug:judge>/v<int:number>/renew/", versions.version_renew, name="version-renew"),
    path("p/<slug:slug>/runs/", runs.runs, name="runs"),
    path("p/<slug:slug>/runs/<int:run_id>/", runs.run, name="run"),
    path("p/<slug:slug>/runs/<int:run_id>/progress/", runs.run_progress, name="run-progress"),
    path("p/<slug:slug>/runs/<int:run_id>/stop/", runs.run_stop, name="run-stop"),
    path("p/<slug:slug>/runs/<int:run_id>/resume/", runs.run_resume, name="run-resume"),
    path("p/<slug:slug>/runs/<int:run_id>/retry/", runs.run_retry, name="run-retry"),
    path("p/<slug:slug>/runs/<int:run_id>/judgements/", runs.judgements, name="judgements"),
]
