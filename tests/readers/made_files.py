"""Small files in the formats of other tools, as these tools write them."""

import hashlib
import json
import zipfile
from pathlib import Path

TIME = "2026-01-02T03-04-05.678901"


def digest(text):
    return hashlib.sha256(str(text).encode()).hexdigest()


def make_samples(folder, model, scores, *, task="quiz", time=TIME, filters=("none",), results=True,
                 shots=0, metrics=("acc",), model_name=None, edit=None):  # fmt: skip
    """Write samples of lm-evaluation-harness: scores of items, two items a passage."""
    folder = Path(folder) / model
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for i, score in enumerate(scores):
        for filter in filters:
            line = {
                "doc_id": i,
                "doc": {"question": f"{i}+1?", "answer": i + 1, "passage": f"p{i // 2}"},
                "target": str(i + 1),
                "arguments": {"gen_args_0": {"arg_0": f"{i}+1?", "arg_1": " a"}},
                "resps": [[["-0.5", "False"]]],
                "filtered_resps": [["-0.5", "False"]],
                "filter": filter,
                "metrics": list(metrics),
                "doc_hash": digest(f"doc {i}"),
                "prompt_hash": digest(f"prompt {i}, {shots} shots"),
                "target_hash": digest(i + 1),
                **dict.fromkeys(metrics, score),
            }
            lines.append(edit(line) if edit else line)
    path = folder / f"samples_{task}_{time}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    if results:
        make_results(folder, model_name or model, {task: scores}, time=time, shots=shots,
                     filters=filters, metrics=metrics)  # fmt: skip
    return path


def make_results(folder, model, tasks, *, time=TIME, shots=0, filters=("none",), metrics=("acc",),
                 groups=None, higher=True):  # fmt: skip
    """Write results of lm-evaluation-harness: the mean scores of tasks."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    known = {
        task: {"alias": task, "sample_len": len(scores)}
        | {f"{m},{f}": sum(scores) / len(scores) for m in metrics for f in filters}
        | {f"{m}_stderr,{f}": "N/A" for m in metrics for f in filters}
        for task, scores in tasks.items()
    }
    record = {
        "results": known,
        "group_subtasks": groups or {},
        "configs": {task: {"task": task} for task in tasks},
        "n-shot": dict.fromkeys(tasks, shots),
        "higher_is_better": {task: dict.fromkeys(metrics, higher) for task in tasks},
        "config": {"model": "dummy", "model_args": f"model={model}"},
        "model_name": model,
        "lm_eval_version": "0.4.13",
        "date": 1794821748.19,
    }
    path = Path(folder) / f"results_{time}.json"
    path.write_text(json.dumps(record, indent=2), "utf-8")
    return path


def make_log(path, model, grades, *, task="sums", created="2026-01-02T03:04:05+00:00",
             status="success", arguments=None, epochs=1, scorer="match", edit=None, method=8,
             journal=False):  # fmt: skip
    """Write a log of Inspect, .eval or .json: grades of items, or lists by epoch."""
    samples = []
    for epoch in range(1, epochs + 1):
        for i, grade in enumerate(grades):
            value = grade[epoch - 1] if isinstance(grade, list) and epochs > 1 else grade
            sample = {
                "id": f"q{i}",
                "epoch": epoch,
                "input": f"{i}+{i}?",
                "target": str(2 * i),
                "metadata": {"passage": f"p{i // 2}"},
                "scores": {scorer: {"value": value, "answer": "?"}},
                "completed": True,
            }
            samples.append(edit(sample) if edit else sample)
    header = {
        "version": 2,
        "status": status,
        "eval": {
            "created": created,
            "task": task,
            "task_args": arguments or {},
            "dataset": {"name": task, "samples": len(grades)},
            "model": model,
            "config": {"epochs": epochs},
        },
        "results": {"total_samples": len(samples), "scores": []},
    }
    path = Path(path)
    if path.suffix == ".json":
        path.write_text(json.dumps({**header, "samples": samples}, indent=2), "utf-8")
        return path
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr(
            "_journal/start.json", json.dumps({k: header[k] for k in ("version", "eval")})
        )
        for sample in samples:
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, "a transcript that nobody reads, and that is no JSON")
        half = len(samples) // 2
        archive.writestr("_journal/summaries/1.json", json.dumps(samples[:half]))
        archive.writestr("_journal/summaries/2.json", json.dumps(samples[half:]))
        if not journal:
            archive.writestr("summaries.json", json.dumps(samples))
            archive.writestr("header.json", json.dumps(header))
    return path


SCHEMES = {
    "weka.classifiers.bayes.NaiveBayes": "",
    "weka.classifiers.trees.J48": "-C 0.25 -M 2",
}


def make_weka(path, *, folds=2, averaged=False, runs=2, schemes=None, datasets=("alpha", "beta")):
    """Write results of Weka's Experimenter, CSV or ARFF; without folds they are random splits."""
    keys = ["Key_Dataset", "Key_Run", *(["Key_Fold"] if folds else []), "Key_Scheme",
            "Key_Scheme_options", "Key_Scheme_version_ID"]  # fmt: skip
    names = ["Date_time", "Number_of_training_instances", "Number_of_testing_instances",
             "Percent_correct", "Percent_incorrect", "Kappa_statistic", "Summary",
             "measureTreeSize"]  # fmt: skip
    front = "Avg_" if averaged else ""
    rows = []
    for s, (scheme, options) in enumerate(schemes or list(SCHEMES.items())):
        for d, dataset in enumerate(datasets):
            for run in range(1, runs + 1):
                for fold in range(1, (folds or 1) + 1):
                    right = 70.0 + 5 * s + 3 * d + run + fold / 3
                    rows.append([
                        dataset, run, *([fold] if folds else []), scheme, f"'{options}'", "-1",
                        "2.0261116083E7", 40.0 + d, 20.0, right, 100 - right, right / 100,
                        "'Number of leaves: 7\\nSize, \\'tree\\'\\n'", "?" if s == 0 else 13,
                    ])  # fmt: skip
    header = [*keys, *(names if not averaged else [front + name for name in names])]
    path = Path(path)
    body = "\n".join(",".join(map(str, row)) for row in rows) + "\n"
    if path.suffix == ".arff":
        lines = ["@relation InstanceResultListener", ""]
        lines += [f"@attribute {n} {'{x}' if n.startswith('Key') else 'numeric'}" for n in header]
        path.write_text("\n".join(lines) + "\n\n@data\n\n" + body, "utf-8")
    else:
        path.write_text(",".join(header) + "\n" + body, "utf-8")
    return path


def make_resamples(path, table, *, first="Resamples:"):
    """Write the results of one learner: scores by data set, a list of resamples."""
    count = len(next(iter(table.values())))
    lines = [",".join([first, *map(str, range(count))])]
    lines += [
        ",".join([n, *("" if x is None else str(x) for x in row)]) for n, row in table.items()
    ]
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("\n".join(lines) + "\n", "utf-8")
    return Path(path)


JOBS = "id,task,framework,constraint,fold,type,result,metric,mode,version,params,app_version,utc,"
JOBS += "duration,training_duration,predict_duration,models_count,seed,info,acc,auc,logloss"


def make_jobs(path, jobs):
    """Write results of the AutoML benchmark: dicts of what differs from a usual job."""
    lines = [JOBS]
    for i, job in enumerate(jobs):
        usual = dict.fromkeys(JOBS.split(","), "")
        usual |= {"id": "openml.org/t/1", "task": "kc2", "constraint": "1h8c", "fold": 0,
                  "type": "binary", "metric": "auc", "mode": "local", "version": "1.0",
                  "params": '"{\'n\': 20, \'__import__\': 1}"', "utc": f"2026-01-02T03:04:{i:02d}",
                  "seed": i}  # fmt: skip
        lines.append(",".join(str(value) for value in (usual | job).values()))
    Path(path).write_text("\n".join(lines) + "\n", "utf-8")
    return Path(path)


def make_predictions(folder, learner, dataset, resample, pairs, *, classes=2, stated=None):
    """Write predictions as tsml-eval does: pairs of true and predicted values."""
    folder = Path(folder) / learner / "Predictions" / dataset
    folder.mkdir(parents=True, exist_ok=True)
    if stated is None and classes:
        stated = sum(true == said for true, said in pairs) / len(pairs)
    facts = [-1 if stated is None else stated, 10, -1, -1, -1, *([classes] if classes else []), ""]
    lines = [f"{dataset},{learner},TEST,{resample},MILLISECONDS,free text, with commas"]
    lines += ["No Parameter Info", ",".join(map(str, facts))]
    lines += [f"{true},{said}{',,0.5,0.5' if classes else ''}" for true, said in pairs]
    path = folder / f"testResample{resample}.csv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def make_mteb(folder, model, task, subsets, *, split="test", revision="r1", old=False, meta=True):
    """Write a result of MTEB: the main score of each subset."""
    folder = Path(folder) / model.replace("/", "__") / revision
    folder.mkdir(parents=True, exist_ok=True)
    entries = [{"main_score": score, "accuracy": score / 2, "hf_subset": name, "languages": [name]}
               for name, score in subsets.items()]  # fmt: skip
    record = {"task_name": task, "mteb_version": "1.12", "scores": {split: entries}}
    if old:
        inner = {name: {"main_score": score} for name, score in subsets.items()}
        inner = inner if len(inner) > 1 else next(iter(inner.values()))
        record = {"mteb_dataset_name": task, "mteb_version": "1.0", split: inner}
    path = folder / f"{task}.json"
    path.write_text(json.dumps(record), "utf-8")
    if meta:
        text = json.dumps({"name": model, "revision": revision})
        (folder / "model_meta.json").write_text(text, "utf-8")
    return path


def make_helm(folder, model, scores, *, scenario="mmlu:subject=law", metric="exact_match"):
    """Write a run of HELM: the scores of its instances, and perturbed ones beside them."""
    folder = Path(folder) / f"{scenario},model={model.replace('/', '_')}"
    folder.mkdir(parents=True, exist_ok=True)
    spec = {"name": f"{scenario},model={model.replace('/', '_')}", "adapter_spec": {"model": model}}
    (folder / "run_spec.json").write_text(json.dumps(spec), "utf-8")
    entries = []
    for i, score in enumerate(scores):
        for perturbation in (None, {"name": "typos"}):
            name = {"name": metric, "split": "test"}
            name |= {"perturbation": perturbation} if perturbation else {}
            entry = {"instance_id": f"id{i}", "train_trial_index": 0,
                     "stats": [{"name": name, "count": 1, "mean": score}]}  # fmt: skip
            entries.append(entry | ({"perturbation": perturbation} if perturbation else {}))
    path = folder / "per_instance_stats.json"
    path.write_text(json.dumps(entries), "utf-8")
    return path
