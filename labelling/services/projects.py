from django.contrib.auth.models import User
from django.db import transaction

from labelling.models import ConsensusRule, Policy, Project, Role
from labelling.services.guides import start_guide
from labelling.services.people import add_member
from labelling.services.slots import open_slots


@transaction.atomic
def create_project(
    *, slug: str, name: str, owner: User | None = None, policy: str = Policy.STRICT, description: str = ""
) -> Project:
    """A new project with its guide, version 1 from the default of the policy, and its owner where one is given.

    Raises
    ------
    django.db.IntegrityError
        Where the slug is taken.
    """
    project = Project.objects.create(slug=slug, name=name, description=description)
    start_guide(project=project, policy=policy)
    if owner is not None:
        add_member(project=project, user=owner, role=Role.OWNER)
    return project


@transaction.atomic
def change_settings(
    *,
    project: Project,
    name: str,
    description: str,
    overlap: int,
    consensus_rule: str,
    partial_is_unsupported: bool,
    ask_invention: bool,
    ask_severity: bool,
    lease_minutes: int,
) -> Project:
    """Change what owners may set. Places for labels follow the overlap; labels already there stay, whatever it is.

    Raises
    ------
    django.core.exceptions.ValidationError
        Where a value is out of its range.
    """
    project.name = name
    project.description = description
    project.overlap = overlap
    project.consensus_rule = ConsensusRule(consensus_rule)
    project.partial_is_unsupported = partial_is_unsupported
    project.ask_invention = ask_invention
    project.ask_severity = ask_severity
    project.lease_minutes = lease_minutes
    project.full_clean()
    overlap_before = Project.objects.values_list("overlap", flat=True).get(pk=project.pk)
    project.save()
    if overlap != overlap_before:
        open_slots(project=project)
    return project
