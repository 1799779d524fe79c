"""Several people save the same threshold in the same moment."""

from threading import Barrier, Thread

import pytest
from django.db import connection

from judges.models import JudgeVersion, Run
from labelling.models import Role
from reports.services.thresholds import save_threshold
from tests.factories import make_member
from tests.reports.rows import scored_project


@pytest.mark.django_db(transaction=True)
def test_one_threshold_saved_by_many_at_once_is_one_version_with_one_run() -> None:
    project, _, version = scored_project()
    people = [make_member(project, Role.ENGINEER) for _ in range(4)]
    ready = Barrier(len(people))
    numbers: list[int] = []
    trouble: list[Exception] = []

    def save(place: int) -> None:
        try:
            ready.wait()
            made, _ = save_threshold(version=version, threshold=0.85, by=people[place])
            numbers.append(made.number)
        except Exception as error:  # noqa: BLE001  (a thread's error would be lost)
            trouble.append(error)
        finally:
            connection.close()

    threads = [Thread(target=save, args=(place,)) for place in range(len(people))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert trouble == []
    assert numbers == [2, 2, 2, 2]
    assert JudgeVersion.objects.filter(judge=version.judge).count() == 2
    assert Run.objects.filter(judge_version__number=2).count() == 1
