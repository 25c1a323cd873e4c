"""What files of other tools say, by the plainest parsers: they share no code with the readers."""

from __future__ import annotations

import csv
import io
import json
import math
import zipfile

GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


def number(value):
    """A score, None where it is missing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return float(value)


def decode(path):
    """The text of a file, in the encodings that text files have."""
    data = path.read_bytes()
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def say_samples(paths):
    cells = {}
    for path in paths:
        learner = path.parent.name
        for other in path.parent.glob("results_*.json"):
            learner = json.loads(other.read_text("utf-8-sig"))["model_name"] or learner
        for line in path.read_bytes().splitlines():
            if line.strip():
                record = json.loads(line)
                key = str(learner), "quiz", str(record["doc_id"])
                assert key not in cells
                metrics = record.get("metrics", ["acc"])
                cells[key] = number(record.get(metrics[0])) if metrics else None
    return cells


def say_logs(paths):
    cells = {}
    for path in paths:
        if path.suffix == ".eval":
            with zipfile.ZipFile(path) as archive:
                header = json.loads(archive.read("header.json"))
                samples = json.loads(archive.read("summaries.json"))
        else:
            header = json.loads(path.read_bytes())
            samples = header["samples"]
        assert header["status"] == "success"
        for sample in samples:
            value = next(iter((sample.get("scores") or {"": {}}).values())).get("value")
            if isinstance(value, str):
                words = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
                lowered = value.strip().lower()
                value = GRADES[value] if value in GRADES else words.get(lowered, value)
            key = (header["eval"]["model"], header["eval"]["task"],
                   f"{sample['id']}/{sample.get('epoch', 1)}")  # fmt: skip
            assert key not in cells
            cells[key] = number(value)
    return cells


def shorten(scheme):
    """A scheme without its package and options."""
    return (scheme.replace("\\", "").split() or [""])[0].rsplit(".", 1)[-1]


def say_weka(paths):
    cells = {}
    for path in paths:
        lines = decode(path).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if path.suffix == ".arff":
            at = next(i for i, line in enumerate(lines) if line.strip().lower() == "@data")
            names = [x.split()[1] for x in lines[:at] if x.strip().lower().startswith("@attribute")]
            body = [line for line in lines[at + 1 :] if not line.lstrip().startswith("%")]
        else:
            filled = [line for line in lines if line.strip()]
            names, body = [cell.strip() for cell in filled[0].split(",")], filled[1:]
        rows = csv.reader(
            [line for line in body if line.strip()], quotechar="'", escapechar="\\",
            doublequote=False,
        )  # fmt: skip
        for row in rows:
            record = dict(zip(names, row, strict=True))
            key = (shorten(record["Key_Scheme"]), record["Key_Dataset"].strip(),
                   f"{record['Key_Run']}/{record.get('Key_Fold', '')}")  # fmt: skip
            assert key not in cells
            cell = record["Percent_correct"].strip()
            cells[key] = None if cell in ("?", "NaN") else float(cell)
    return cells


def say_resamples(paths):
    cells = {}
    for path in paths:
        text = decode(path)
        header, *rows = [r for r in csv.reader(io.StringIO(text)) if any(c.strip() for c in r)]
        for row in rows:
            for resample, cell in zip(header[1:], row[1:], strict=True):
                key = path.stem.split("_")[0], row[0].strip(), str(int(float(resample)))
                assert key not in cells
                empty = cell.strip().lower() in ("", "nan", "?", "null")
                cells[key] = None if empty else float(cell)
    return cells


def say_jobs(paths):
    cells = {}
    for path in paths:
        for job in csv.DictReader(io.StringIO(decode(path).lstrip())):
            if not any(cell for name, cell in job.items() if name is not None):
                continue  # a line of nothing but a quotation mark
            key = job["framework"].strip(), job["task"].strip(), job["fold"].strip()
            assert key not in cells
            cell = job["result"].strip()
            empty = cell.lower() in ("", "nan", "?", "null")
            value = None if empty else float(cell)
            is_loss = job["metric"] in ("logloss", "rmse", "mae")
            cells[key] = -value if is_loss and value is not None else value
    return cells


def say_mteb(paths):
    cells = {}
    for path in paths:
        record = json.loads(path.read_bytes())
        splits = record["scores"]
        split = next(name for name in ("test", "validation", "dev") if splits.get(name))
        scores = [number(entry["main_score"]) for entry in splits[split]]
        key = path.parent.parent.name, record["task_name"], "None"
        assert key not in cells
        cells[key] = sum(scores) / len(scores)
    return cells


def say_helm(paths):
    cells = {}
    for path in paths:
        spec = json.loads((path.parent / "run_spec.json").read_text())
        for entry in json.loads(path.read_bytes()):
            if entry.get("perturbation"):
                continue
            for statistic in entry.get("stats") or []:
                name = statistic["name"]
                if name.get("perturbation") or name.get("split") not in (None, "test"):
                    continue
                if name["name"] == "exact_match":
                    key = (spec["adapter_spec"]["model"], "mmlu:subject=law",
                           str(entry["instance_id"]))  # fmt: skip
                    assert key not in cells
                    cells[key] = number(statistic.get("mean"))
    return cells


def say_predictions(paths):
    cells = {}
    for path in paths:
        lines = decode(path).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        dataset, learner, _, resample = lines[0].split(",")[:4]
        pairs = [tuple(map(float, x.split(",")[:2])) for x in lines[3:] if x.strip()]
        key = learner, dataset.strip(), str(int(resample))
        assert key not in cells
        cells[key] = sum(a == b for a, b in pairs) / len(pairs)
    return cells


def say_tabarena(paths):
    cells = {}
    for path in paths:
        for row in csv.DictReader(io.StringIO(decode(path).lstrip())):
            key = row["method"].strip(), row["dataset"].strip(), row["fold"].strip()
            assert key not in cells
            cell = row["metric_error"].strip()
            cells[key] = None if cell.lower() in ("", "nan", "?", "null") else float(cell)
    return cells
