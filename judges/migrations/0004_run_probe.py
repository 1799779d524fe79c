from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("judges", "0003_drafts_of_claims"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="probe",
            field=models.CharField(
                blank=True,
                choices=[
                    ("silence", "Silence"),
                    ("order", "Order"),
                    ("rewording", "Rewording"),
                    ("perturbation", "Perturbation"),
                    ("repetition", "Repetition"),
                ],
                help_text="Which test of the judge it is; empty for a plain run.",
                max_length=20,
            ),
        ),
        migrations.AddField(
            model_name="run",
            name="seed",
            field=models.PositiveIntegerField(
                blank=True, help_text="What a test's random choices follow from.", null=True
            ),
        ),
        migrations.AddField(
            model_name="chunk",
            name="changes",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="In a test of the judge: what is changed in each claim, by its id.",
            ),
        ),
        migrations.AddConstraint(
            model_name="run",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("probe", ""), ("seed__isnull", True)),
                    models.Q(
                        ("probe__in", ["silence", "order", "rewording", "perturbation", "repetition"]),
                        ("seed__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="run_probe_known_and_seeded",
            ),
        ),
    ]
