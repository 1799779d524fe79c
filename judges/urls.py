from django.urls import URLPattern, URLResolver, path

from judges.views import judges, runs

app_name = "judges"
urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<slug:slug>/judges/", judges.judges, name="judges"),
    path("p/<slug:slug>/judges/new/<slug:type_name>/", judges.judge_new, name="judge-new"),
    path("p/<slug:slug>/judges/<slug:judge>/new-version/", judges.version_new, name="version-new"),
    path("p/<slug:slug>/judges/<slug:judge>/v<int:number>/", judges.version, name="version"),
    path("p/<slug:slug>/judges/<slug:judge>/v<int:number>/run/", judges.run_start, name="run-start"),
    path("p/<slug:slug>/judges/<slug:judge>/v<int:number>/renew/", judges.version_renew, name="version-renew"),
    path("p/<slug:slug>/runs/", runs.runs, name="runs"),
    path("p/<slug:slug>/runs/<int:run_id>/", runs.run, name="run"),
    path("p/<slug:slug>/runs/<int:run_id>/progress/", runs.run_progress, name="run-progress"),
    path("p/<slug:slug>/runs/<int:run_id>/stop/", runs.run_stop, name="run-stop"),
    path("p/<slug:slug>/runs/<int:run_id>/resume/", runs.run_resume, name="run-resume"),
    path("p/<slug:slug>/runs/<int:run_id>/retry/", runs.run_retry, name="run-retry"),
    path("p/<slug:slug>/runs/<int:run_id>/judgements/", runs.judgements, name="judgements"),
]
