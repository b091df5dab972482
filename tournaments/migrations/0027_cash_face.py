from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0002_release_0_2_0"),
    ]

    operations = [
        migrations.AlterField(
            model_name="screen",
            name="shows",
            field=models.CharField(
                choices=[
                    ("clock", "Clock"),
                    ("seating", "Seating"),
                    ("moves", "Moves"),
                    ("places", "Places"),
                    ("hunters", "Hunters"),
                    ("cash", "Cash"),
                    ("rotating", "Rotating"),
                ],
                default="clock",
                max_length=10,
            ),
        ),
    ]
