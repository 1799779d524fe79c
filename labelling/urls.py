from django.urls import URLPattern, URLResolver

app_name = "labelling"
urlpatterns: list[URLPattern | URLResolver] = []
