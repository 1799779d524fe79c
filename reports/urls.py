from django.urls import URLPattern, URLResolver, path

from reports.views import comparison, judges

app_name = "reports"
urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<slug:slug>/compare/", comparison.comparison, name="comparison"),
    path("p/<slug:slug>/compare/<slug:judge>/v<int:number>/", judges.judge, name="judge"),
    path("p/<slug:slug>/compare/<slug:judge>/v<int:number>/claims/", judges.cell, name="cell"),
    path("p/<slug:slug>/compare/<slug:judge>/v<int:number>/threshold/", judges.threshold_save, name="threshold-save"),
]
