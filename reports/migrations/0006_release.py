import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("labelling", "0001_initial"),
        ("reports", "0005_chosen_threshold"),
    ]

    operations = [
        migrations.CreateModel(
            name="Release",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("system", models.CharField(blank=True, help_text="As its answers call it.", max_length=200)),
                ("name", models.CharField(max_length=100)),
                ("at", models.DateTimeField(help_text="When it went out.")),
                ("note", models.TextField(blank=True, max_length=2000)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "member",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="labelling.membership",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="labelling.project"
                    ),
                ),
            ],
            options={
                "ordering": ["at", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("project", "system", "name"), name="release_name_once"),
                    models.UniqueConstraint(fields=("project", "system", "at"), name="release_moment_once"),
                ],
            },
        ),
    ]
