from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("labelling", "0002_sampling_plan")]

    operations = [
        migrations.CreateModel(
            name="Change",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "project",
                    models.BigIntegerField(help_text="The project's id; no foreign key, since it is the last to go."),
                ),
                ("part", models.CharField(max_length=20)),
                ("shard", models.BigIntegerField(default=0)),
                ("n", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("project", "part", "shard"), name="change_shard_once"),
                ],
            },
        ),
    ]
