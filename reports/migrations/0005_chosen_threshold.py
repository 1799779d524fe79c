import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("judges", "0005_dry_runs"),
        ("labelling", "0001_initial"),
        ("reports", "0004_api_token"),
    ]

    operations = [
        migrations.AddField(
            model_name="certificate",
            name="chosen",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="How the threshold was chosen on development and what was promised of it; empty where it was set by hand.",
            ),
        ),
        migrations.CreateModel(
            name="ChosenThreshold",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "way",
                    models.CharField(
                        choices=[
                            ("kappa", "Largest kappa"),
                            ("recall", "Least flagging at a recall reached"),
                            ("promise", "Least flagging at a recall promised"),
                            ("cost", "Least expected cost"),
                            ("four-way", "Three thresholds with the largest four-way kappa"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "record",
                    models.JSONField(
                        help_text="The choice with its terms, the claims it was made on and what it did on them."
                    ),
                ),
                ("digest", models.CharField(help_text="SHA-256 over the record.", max_length=64)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="labelling.membership",
                    ),
                ),
                (
                    "judge_version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="judges.judgeversion"
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.UniqueConstraint(fields=("judge_version", "digest"), name="chosen_threshold_once"),
                    models.CheckConstraint(
                        condition=models.Q(("way__in", ["kappa", "recall", "promise", "cost", "four-way"])),
                        name="chosen_threshold_way_known",
                    ),
                ],
            },
        ),
    ]
