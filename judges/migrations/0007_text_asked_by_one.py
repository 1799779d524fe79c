from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judges", "0006_reused_stages")]

    operations = [
        migrations.AddField(
            model_name="answerdraft",
            name="asking",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The text and extractor version that a worker is about to pay for.",
                max_length=64,
            ),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name="answerdraft",
            constraint=models.UniqueConstraint(
                condition=models.Q(state__in=["working", "asked"]) & ~models.Q(asking=""),
                fields=("asking",),
                name="draft_text_asked_by_one",
            ),
        ),
    ]
