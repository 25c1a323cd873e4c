"""What an answer was made from, as lines of text."""

from __future__ import annotations

from twofold.provenance_record import Provenance

SHORT = 16
"""Signs of a digest that tell files apart."""


def format_provenance(provenance: Provenance) -> list[str]:
    """Return a line for each fact."""
    return [f"{label:<11} {text}" for label, text in list_provenance(provenance)]


def list_provenance(provenance: Provenance) -> list[tuple[str, str]]:
    """Return the facts with their labels: versions, files, data sets, learners, and the calls."""
    versions = ", ".join(f"{name} {version}" for name, version in provenance.libraries.items())
    facts = [("twofold", provenance.version), ("libraries", versions)]
    facts.append(("seed", str(provenance.seed)))
    facts += [("file", f"{file.name}, SHA-256 {file.sha256}") for file in provenance.inputs]
    facts += [("data set", f"{name} {digest[:SHORT]}") for name, digest in provenance.data.items()]
    for name, digest in provenance.learners.items():
        seen = digest[:SHORT] if digest else "(its code cannot all be seen)"
        facts.append(("learner", f"{name} {seen}"))
    experiment = provenance.experiment
    if experiment is not None:
        facts.append(("experiment", f"{experiment.name}, SHA-256 {experiment.sha256}"))
        if experiment.overridden:
            facts.append(("overridden", ", ".join(experiment.overridden)))
    facts += [("command", provenance.command or ""), ("Python", provenance.python or "")]
    return [(label, text) for label, text in facts if text]
