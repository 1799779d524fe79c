from django.urls import URLPattern, URLResolver

app_name = "judges"
urlpatterns: list[URLPattern | URLResolver] = []
