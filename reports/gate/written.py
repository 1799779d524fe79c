"""A gate as files: text for people, JUnit XML for the pipeline, Markdown for a merge request, JSON for the next gate."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from xml.etree import ElementTree as ET

from calibration.results import JsonValue
from labelling.golden.manifest import software_version
from reports.gate.deciding import Exit, Outcome
from reports.services.gate import GateReport

MEASURES = "faithfulness to the cited source, as the judge reads it"
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKS = {Outcome.PASSED: "passed", Outcome.FAILED: "FAILED", Outcome.NO_DATA: "NO DATA"}
_WORDS = {
    Exit.PASSED: "Passed: every rule holds.",
    Exit.FAILED: "Failed: a rule is broken.",
    Exit.COULD_NOT_RUN: "Could not run: there is no data for a rule, so it does not hold.",
    Exit.NO_CERTIFICATE: "Nothing was gated: the judge has no current certificate.",
}


def verdict_words(report: GateReport) -> str:
    return _WORDS[report.exit]


def gate_text(report: GateReport) -> str:
    lines = [
        f"{_subject(report)}, read by {report.version}",
        f"certificate: {report.certificate.words}",
        *(f"{_MARKS[result.outcome]:<8}{result.rule.name}: {result.words}" for result in report.results),
        verdict_words(report),
    ]
    return "\n".join(lines)


def gate_markdown(report: GateReport) -> str:
    certificate = report.certificate
    lines = [
        f"## Gate: {_plain(verdict_words(report))}",
        "",
        f"{_plain(_subject(report))}, {MEASURES}: {_plain(str(report.version))}, {_plain(certificate.words)}.",
    ]
    if certificate.current and certificate.certificate is not None:
        lines += ["", _plain(certificate.certificate.guarantee)]
    if report.results:
        lines += ["", "| rule | outcome | found and asked for |", "| --- | --- | --- |"]
        lines += [
            f"| {_plain(result.rule.name)} | {_MARKS[result.outcome]} | {_plain(result.words)} |"
            for result in report.results
        ]
    return "\n".join(lines) + "\n"


def gate_json(report: GateReport) -> str:
    """Everything, with every figure that a rule may name: the baseline of the next gate."""
    data: dict[str, JsonValue] = {
        "project": report.project.slug,
        "measures": MEASURES,
        "system": report.selection.system,
        "task_type": report.selection.task_type,
        "since": report.selection.since,
        "until": report.selection.until,
        "judge": f"{report.version.judge.name}@{report.version.number}",
        "fingerprint": report.version.fingerprint,
        "certificate": {"current": report.certificate.current, "words": report.certificate.words},
        "exit": int(report.exit),
        "outcome": verdict_words(report),
        "rules": [
            {
                "name": result.rule.name,
                "outcome": str(result.outcome),
                "words": result.words,
                "figure": None if result.figure is None else result.figure.to_json(),
            }
            for result in report.results
        ],
        "figures": {name: figure.to_json() for name, figure in (report.figures or {}).items()},
        "software": {"name": "touchstone", "version": software_version()},
    }
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def gate_junit(report: GateReport) -> str:
    """A test case for the certificate and for each rule; no data and no certificate are errors, not failures."""
    counts = {
        "tests": len(report.results) + 1,
        "failures": sum(result.outcome is Outcome.FAILED for result in report.results),
        "errors": sum(result.outcome is Outcome.NO_DATA for result in report.results)
        + (not report.certificate.current),
    }
    said = {key: str(number) for key, number in counts.items()}
    root = ET.Element("testsuites", {"name": "touchstone gate", **said})
    suite = ET.SubElement(root, "testsuite", {"name": _xml(f"{_subject(report)}, {report.version}"), **said})
    where = _xml(f"gate.{report.project.slug}")
    case = ET.SubElement(suite, "testcase", {"classname": where, "name": "certificate"})
    if not report.certificate.current:
        ET.SubElement(case, "error", {"message": _xml(report.certificate.words)})
    for result in report.results:
        case = ET.SubElement(suite, "testcase", {"classname": where, "name": _xml(result.rule.name)})
        if result.outcome is Outcome.PASSED:
            ET.SubElement(case, "system-out").text = _xml(result.words)
        else:
            kind = "failure" if result.outcome is Outcome.FAILED else "error"
            ET.SubElement(case, kind, {"message": _xml(result.words)})
    return _declared(root)


def refusal_junit(project: str, message: str) -> str:
    """A gate that could not run, as a pipeline shows it."""
    said = {"tests": "1", "failures": "0", "errors": "1"}
    root = ET.Element("testsuites", {"name": "touchstone gate", **said})
    suite = ET.SubElement(root, "testsuite", {"name": _xml(project), **said})
    case = ET.SubElement(suite, "testcase", {"classname": _xml(f"gate.{project}"), "name": "gate"})
    ET.SubElement(case, "error", {"message": _xml(message)})
    return _declared(root)


def refusal_markdown(project: str, message: str) -> str:
    return f"## Gate: could not run\n\n{_plain(project)}: {_plain(message)}\n"


def refusal_json(project: str, message: str) -> str:
    data = {"project": project, "exit": int(Exit.COULD_NOT_RUN), "outcome": message, "rules": [], "figures": {}}
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


FILES: Mapping[str, tuple[Callable[[GateReport], str], Callable[[str, str], str]]] = {
    "junit": (gate_junit, refusal_junit),
    "markdown": (gate_markdown, refusal_markdown),
    "json": (gate_json, refusal_json),
}
"""By option: how a gate is written, and one that could not run."""


def _subject(report: GateReport) -> str:
    chosen = report.selection
    period = [f"{word} {day}" for word, day in (("since", chosen.since), ("until", chosen.until)) if day]
    return " ".join(part for part in (report.project.slug, chosen.system, chosen.task_type, *period) if part)


def _declared(root: ET.Element) -> str:
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _xml(text: str) -> str:
    """Text without what XML cannot hold, however escaped."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _plain(text: str) -> str:
    """Text from outside as Markdown that shows just that text, in one line."""
    escaped = re.sub(r"([\\`*_{}\[\]()#!|<>~])", r"\\\1", text)
    return " ".join(escaped.split())
