from django.urls import URLPattern, URLResolver, path

from reports.views import comparison

app_name = "reports"
urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<slug:slug>/compare/", comparison.comparison, name="comparison"),
]
