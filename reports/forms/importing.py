"""Input from people who bring files: the upload, and how its columns and words are to be read."""

from collections.abc import Mapping

from django import forms
from django.core.files.uploadedfile import UploadedFile

from labelling.importing.decoding import encoding_of
from labelling.importing.mapping import (
    ADJUDICATION_KEYS,
    ANSWER_KEYS,
    CLAIM_KEYS,
    LABEL_KEYS,
    LEAVE_OUT,
    PREFIXES,
    SOURCE_KEYS,
    is_key,
)
from labelling.importing.problems import FileRefusedError
from labelling.models import Verdict
from reports.services.previews import Preview

SIZE_LIMIT = 512 * 1024 * 1024
KEY_GROUPS = (
    ("The claim", CLAIM_KEYS),
    ("Its source", SOURCE_KEYS),
    ("Its answer", ANSWER_KEYS),
    ("What people said", (*LABEL_KEYS, *ADJUDICATION_KEYS)),
)
PREFIX_WORDS = (
    ("label:", "verdicts of the person named by the column"),
    ("judge:", "verdicts of the judge named by the column"),
    ("judge_score:", "scores of the judge named by the column"),
)


class UploadForm(forms.Form):
    """A file to bring in."""

    file = forms.FileField(
        label="File",
        help_text="JSON Lines, CSV, TSV, Excel or Parquet, plain or gzip, up to 512 MB.",
    )

    def clean_file(self) -> "UploadedFile[bytes]":
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > SIZE_LIMIT:
            raise forms.ValidationError("The file is larger than 512 MB; bring it in with the import_items command.")
        return file


class ChoicesForm(forms.Form):
    """How a file is to be read, whatever its columns are."""

    encoding = forms.CharField(
        required=False,
        max_length=40,
        label="Encoding",
        help_text="Only where it is neither UTF-8 nor marked UTF-16, for example cp1252.",
    )
    update = forms.BooleanField(required=False, label="Take changed texts under known ids")
    skip_bad = forms.BooleanField(required=False, label="Import the good lines of a file that has bad ones")
    missing_sources = forms.BooleanField(
        required=False, label="Make a source without text where one is cited that is not known"
    )

    def clean_encoding(self) -> str:
        name = str(self.cleaned_data["encoding"]).strip()
        if name:
            try:
                encoding_of(b"", name)
            except FileRefusedError as fault:
                raise forms.ValidationError(str(fault)) from None
        return name


def read_choices(data: Mapping[str, str], shown: Preview) -> tuple[dict[str, str], dict[str, str]]:
    """The keys of the columns and the verdicts of the words, as posted.

    A column or word that the file does not have, or a key that is none, is not taken.
    """
    columns: dict[str, str] = {}
    for column in shown.columns:
        key = data.get(f"column-{column.position}", column.key)
        if key in PREFIXES:
            key = key + column.name
        columns[column.name] = key if is_key(key) or key == LEAVE_OUT else ""
    values: dict[str, str] = {}
    for position in range(len(data)):
        word = data.get(f"word-{position}")
        if word is None:
            break
        verdict = data.get(f"value-{position}", "")
        values[word] = verdict if verdict in Verdict.values else ""
    return columns, values
