"""The certificate of a judge version as its page shows it."""

from __future__ import annotations

from calibration.results import Figure
from judges.models import JudgeVersion
from labelling.models import Project
from reports.forms.certificates import CertificateForm
from reports.services.certificates import certificate_of

SHOWN = {
    "recall": "Recall on unsupported",
    "precision": "Precision",
    "kappa_two": "Kappa, supported or not",
    "answer_recall": "Answers with an unsupported claim, found",
    "judged": "Judged",
}


def certificate_context(
    project: Project, version: JudgeVersion, *, form: CertificateForm | None = None
) -> dict[str, object]:
    """State, figures, and the form that issues the next one."""
    state = certificate_of(version)
    given = state.certificate
    figures = [] if given is None else [(words, Figure(**given.figures[name])) for name, words in SHOWN.items()]
    return {
        "certificate": state,
        "certified_figures": figures,
        "certificate_form": form or CertificateForm(project=project),
    }
