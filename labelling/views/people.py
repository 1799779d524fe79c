from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from labelling.access import Seat, owner_seat, within
from labelling.forms.people import AddMemberForm, AttachForm, NewAccountForm, RoleForm
from labelling.models import Label, Membership, Role
from labelling.services import people as service


def _members(here: Seat) -> QuerySet[Membership]:
    labels = Label.objects.filter(annotator=OuterRef("pk"), revision=1).order_by().values("annotator")
    return here.project.memberships.select_related("user").annotate(
        labels_given=Subquery(labels.annotate(n=Count("pk")).values("n"))
    )


def _page(request: HttpRequest, here: Seat, *, status: int = 200, **more: object) -> HttpResponse:
    context = {
        "project": here.project,
        "member": here.member,
        "here": "people",
        "members": _members(here),
        "roles": Role.choices,
        "add_form": AddMemberForm(auto_id="add_%s"),
        "account_form": NewAccountForm(auto_id="new_%s"),
        **more,
    }
    return render(request, "labelling/people.html", context, status=status)


@login_required
@require_safe
def people(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, owner_seat(request.user, slug))


@login_required
@require_POST
def member_add(request: HttpRequest, slug: str) -> HttpResponse:
    """Give an account that exists a role here."""
    here = owner_seat(request.user, slug)
    form = AddMemberForm(request.POST, auto_id="add_%s")
    if form.is_valid():
        data = form.cleaned_data
        try:
            new = service.add_member(
                project=here.project, user=data["account"], role=data["role"], pseudonym=data["pseudonym"]
            )
        except service.PeopleError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{new.pseudonym} is in as {new.get_role_display().lower()}.")
            return redirect("labelling:people", slug=slug)
    return _page(request, here, add_form=form, status=422)


@login_required
@require_POST
@never_cache
def account_create(request: HttpRequest, slug: str) -> HttpResponse:
    """Make an account. Its password is in this one response and nowhere else."""
    here = owner_seat(request.user, slug)
    form = NewAccountForm(request.POST, auto_id="new_%s")
    if form.is_valid():
        try:
            new = service.create_account(project=here.project, **form.cleaned_data)
        except service.PeopleError as error:
            form.add_error(None, str(error))
        else:
            return _page(request, here, new_account=new)
    return _page(request, here, account_form=form, status=422)


@login_required
@require_POST
def member_role(request: HttpRequest, slug: str, member_id: int) -> HttpResponse:
    here = owner_seat(request.user, slug)
    person = within(here.project.memberships.all(), pk=member_id)
    form = RoleForm(request.POST)
    if not form.is_valid():
        return _page(request, here, problem="Choose one of the three roles.", status=422)
    try:
        service.change_role(member=person, **form.cleaned_data)
    except service.PeopleError as error:
        return _page(request, here, problem=str(error), status=422)
    messages.success(request, f"{person.pseudonym} is {person.get_role_display().lower()} now.")
    # Who gave up owning the project has no business on this page any more.
    return redirect("labelling:project" if person.pk == here.member.pk else "labelling:people", slug=slug)


@login_required
@require_POST
def member_attach(request: HttpRequest, slug: str, member_id: int) -> HttpResponse:
    """Put an account behind an imported pseudonym."""
    here = owner_seat(request.user, slug)
    person = within(here.project.memberships.all(), pk=member_id)
    form = AttachForm(request.POST)
    if not form.is_valid():
        return _page(request, here, problem=" ".join(map(str, form.errors["account"])), status=422)
    try:
        service.attach_account(member=person, user=form.cleaned_data["account"])
    except service.PeopleError as error:
        return _page(request, here, problem=str(error), status=422)
    messages.success(request, f"{form.cleaned_data['account']} signs in as {person.pseudonym} here now.")
    return redirect("labelling:people", slug=slug)


@login_required
@require_POST
def member_remove(request: HttpRequest, slug: str, member_id: int) -> HttpResponse:
    here = owner_seat(request.user, slug)
    person = here.project.memberships.filter(pk=member_id).first()
    if person is None:  # gone already: the same press twice
        return redirect("labelling:people", slug=slug)
    try:
        service.remove_member(member=person)
    except service.PeopleError as error:
        return _page(request, here, problem=str(error), status=422)
    messages.success(request, f"{person.pseudonym} is out of the project.")
    return redirect("labelling:home" if person.pk == here.member.pk else "labelling:people", slug=slug)
