#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Megatron-LM's tests would say of goldens, worked out apart from regild: every verdict of
its JSON must be the same.

usage: checks.py make FOLDER GOLDENS  writes base/ and new/: so many goldens, with all that is special
       checks.py configure FOLDER SEED   writes model_config.yaml beside each golden of FOLDER
       checks.py hold BASE NEW JSON   compares each (file, metric, check); prints what differs
"""
import json
import math
import pathlib
import random
import sys

EXACT = ["lm loss", "mtp_1 loss", "mtp_2 loss", "total loss", "num-zeros", "generated_tokens", "logprobs"]
METRICS = EXACT[:5] + ["iteration-time", "mem-allocated-bytes", "mem-max-allocated-bytes"]
INFERENCE = ["generated_tokens", "logprobs", "throughput"]


def field(name):
    return name.rsplit("/", 1)[-1]


def steps_of(value):
    """Of what the file has under a metric's name, the values by step; None where it has none."""
    if isinstance(value, dict) and isinstance(value.get("values"), dict):
        return {int(k): v for k, v in value["values"].items() if is_value(v)}
    if isinstance(value, dict) and isinstance(value.get("values"), list):
        start, interval = value.get("start_step", 0), value.get("step_interval", 1)
        return {start + i * interval: v for i, v in enumerate(value["values"]) if is_value(v)}
    if isinstance(value, list):
        return {i: v for i, v in enumerate(value) if is_value(v)}
    if isinstance(value, (int, float)):
        return {0: value}
    return None


def is_value(v):
    if isinstance(v, str):
        try:
            float(v)
        except ValueError:
            return False
        return True
    return isinstance(v, (int, float))


def number(v):
    return math.inf if isinstance(v, str) else float(v)


def is_close(run, golden, rtol):
    if run == golden:
        return True
    return math.isfinite(run) and math.isfinite(golden) and abs(run - golden) <= rtol * abs(golden)


def rounded(v):
    return round(v, 5) if math.isfinite(v) else v


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    if any(math.isnan(v) for v in values):
        return math.nan
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def time_steps(golden):
    finite = sorted(s for s, v in golden.items() if math.isfinite(number(v)))
    if not finite:
        return []
    first, last = (5, 20) if finite[-1] <= 25 else (30, 45)
    return [s for s in finite if first <= s <= last] or [s for s in finite if s >= first][:4]


def deterministic(golden_block, run_block):
    golden, run = steps_of(golden_block), steps_of(run_block)
    full = isinstance(golden_block, dict) and golden_block.get("value_precision") == "full"
    keep = (lambda v: v) if full else rounded
    if not golden:
        return not golden and not run
    return all(keep(number(v)) == keep(number(run.get(s, math.inf))) for s, v in golden.items())


def approximate(metric, golden_block, run_block):
    golden, run = steps_of(golden_block), steps_of(run_block)
    rtol = 0.20 if metric == "num-zeros" else 0.05
    if not golden:
        return not golden and not run
    if metric == "iteration-time":
        steps = time_steps(golden)
        if not steps:
            return False
        return is_close(median([rounded(number(run.get(s, math.inf))) for s in steps]),
                        median([rounded(number(golden[s])) for s in steps]), rtol)
    n = len(golden)
    failed = sum(not is_close(rounded(number(run.get(s, math.inf))), rounded(number(v)), rtol)
                 for s, v in golden.items())
    return failed <= (min(max(n // 100, 1), 50) if n > 1 else 0)


def model_config(golden):
    """METRICS and whether results are said not to be deterministic, off the lines that configure wrote."""
    path, metrics, loose, inside = golden.parent / "model_config.yaml", None, False, False
    if not path.exists():
        return metrics, loose
    for line in path.read_text().splitlines():
        if line.startswith("METRICS:"):
            metrics, inside = [], True
        elif inside and line.strip().startswith("- "):
            metrics.append(line.strip()[2:].strip("\"'"))
        else:
            inside = False
            loose |= line.split("#")[0].replace('"', "").split() == ["NON_DETERMINSTIC_RESULTS:", "1"]
    return metrics, loose


def flatten(value):
    """Metrics by the names that regild gives them: a request's fields are REQUEST/FIELD."""
    out = {}
    for name, block in value.items() if isinstance(value, dict) else []:
        if isinstance(block, dict) and "values" not in block:
            for key, inner in block.items():
                out[name + "/" + key] = inner
        else:
            out[name] = block
    return out


def verdicts(golden_path, run_path):
    golden = flatten(json.loads(golden_path.read_text()))
    run = flatten(json.loads(run_path.read_text()))
    metrics, loose = model_config(run_path)
    out = {}
    for name in sorted(set(golden) | set(run)):
        if field(name) not in (["lm loss", "num-zeros"] if metrics is None else metrics):
            continue
        both = name in golden and name in run
        said = {}
        if field(name) in EXACT and not loose:
            said["deterministic"] = both and deterministic(golden[name], run[name])
        said["approximate"] = both and approximate(name, golden[name], run[name])
        out[name] = ", ".join(f"{k}: {'passes' if v else 'fails'}" for k, v in said.items())
    return out


def hold(base, new, document):
    document = json.loads(pathlib.Path(document).read_text())
    said, wrong, held = {}, 0, 0
    for row in document["rows"] + document["gaps"]:
        said.setdefault(row["file"], {})[row["metric"]] = row["checks"]
    for file in document["files"]:
        if file["status"] != "compared":
            continue
        expected = verdicts(pathlib.Path(base) / file["old_file"], pathlib.Path(new) / file["file"])
        found = {k: v for k, v in said.get(file["file"], {}).items() if v is not None}
        for metric in sorted(set(expected) | set(found)):
            held += 1
            if expected.get(metric) != found.get(metric):
                wrong += 1
                print(f"{file['file']}: {metric}: {expected.get(metric)} expected, {found.get(metric)} found")
    print(f"{held} verdicts held")
    return wrong == 0


def configure(folder, seed):
    choose = random.Random(int(seed))
    for path in sorted({p.parent for p in pathlib.Path(folder).rglob("*.json")}):
        loose = choose.choice(["", "  NON_DETERMINSTIC_RESULTS: 1\n", '  NON_DETERMINSTIC_RESULTS: "1"\n',
                               "  NON_DETERMINSTIC_RESULTS: 0 # off\n"])
        listed = "" if choose.random() < 0.2 else "METRICS:\n" + "".join(
            f"  - \"{m}\"\n" for m in METRICS + INFERENCE if choose.random() < 0.7)
        (path / "model_config.yaml").write_text(
            "ENV_VARS:\n  CUDA_DEVICE_MAX_CONNECTIONS: 1\n" + loose + "MODEL_ARGS:\n  --lr: 0.1\n" + listed)


def special(choose, value):
    """A value beside `value`, as likely at the edge of a check as anywhere."""
    return choose.choice([
        value, value, value, value + 1e-6, value + 5e-6, round(value, 5), round(value, 5) + 5e-6, value * 1.05,
        value * 0.95, value * 1.0500001, value * 1.2, "nan", "inf", math.nan, math.inf, -math.inf, -value, None])


def block(choose, count, step, full):
    values = {}
    for i in range(count):
        value = choose.choice([choose.random() * 10, choose.randrange(1000), choose.random() * 1e-5,
                               choose.randrange(10 ** 6) / 1e5 + 5e-6, choose.randrange(10 ** 15)])
        values[str(1 + i * step)] = value
    out = {"start_step": 1, "end_step": 1 + (count - 1) * step, "step_interval": step, "values": values}
    if full:
        out["value_precision"] = full
    return out


def change(choose, golden):
    run = json.loads(json.dumps(golden))
    rate = choose.choice([0, 0.01, 0.02, 0.2])
    for metric in run.values():
        for step in list(metric["values"]):
            if choose.random() < rate:
                value = metric["values"][step]
                metric["values"][step] = special(choose, value if isinstance(value, (int, float)) else 1.0)
            elif choose.random() < rate / 10:
                del metric["values"][step]
    if choose.random() < 0.1 and len(run) > 1:
        del run[choose.choice(sorted(run))]
    return run


def make(folder, goldens):
    choose = random.Random(17)
    for i in range(int(goldens)):
        count = choose.choice([1, 2, 4, 7, 24, 26, 50, 99, 100, 199, 200, 201, 350])
        step = choose.choice([1, 1, 1, 5, 7])
        full = choose.choice([None, None, "full", "rounded_5_decimal_places"])
        golden = {m: block(choose, count, step, full) for m in METRICS if choose.random() < 0.8}
        golden["lm loss"] = block(choose, count, step, full)
        if choose.random() < 0.5:
            golden = change(choose, golden)
            golden.setdefault("lm loss", block(choose, count, step, full))
        run = change(choose, golden)
        for side, value in (("base", golden), ("new", run)):
            path = pathlib.Path(folder) / side / f"tests/functional_tests/test_cases/gpt/t{i:03}"
            path.mkdir(parents=True)
            # A change that the reports may not notice must still be one to git.
            value["note"] = side
            (path / "golden_values_dev.json").write_text(json.dumps(value))


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    done = {"make": make, "configure": configure, "hold": hold}[command](*rest)
    sys.exit(0 if done in (None, True) else 1)
