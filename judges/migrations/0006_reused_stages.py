from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judges", "0005_dry_runs")]

    operations = [
        migrations.AddField(
            model_name="judgement",
            name="reused_seconds",
            field=models.FloatField(default=0.0, help_text="The same for the time."),
        ),
        migrations.AddField(
            model_name="judgement",
            name="reused_usd",
            field=models.DecimalField(
                decimal_places=6,
                default=0,
                help_text=(
                    "What the parts that were taken from earlier judgements cost then: not spent, and due if asked anew."
                ),
                max_digits=12,
            ),
        ),
        migrations.AddConstraint(
            model_name="judgement",
            constraint=models.CheckConstraint(
                condition=models.Q(reused_usd__gte=0, reused_seconds__gte=0), name="judgement_reused_cost_and_time"
            ),
        ),
    ]
