from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path, reverse_lazy

urlpatterns = [
    path("", include("labelling.urls")),
    path("", include("judges.urls")),
    path("", include("reports.urls")),
    path("sign-in/", auth.LoginView.as_view(redirect_authenticated_user=True), name="sign-in"),
    path("sign-out/", auth.LogoutView.as_view(), name="sign-out"),
    path(
        "account/password/",
        auth.PasswordChangeView.as_view(
            template_name="registration/change_password.html", success_url=reverse_lazy("labelling:home")
        ),
        name="change-password",
    ),
    path("admin/", admin.site.urls),
]
