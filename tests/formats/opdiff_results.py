# SPDX-License-Identifier: Apache-2.0
"""Writes made-up opdiff results with every status and code, as its --append makes them:
opdiff_results.py SEED OPERATORS RUNS >results.jsonl"""

import json
import random
import sys

STATUSES = ["OK"] * 12 + ["SKIPPED", "EXPORT_FAIL", "INFER_FAIL", "TIMING_FAIL", "TIMED_ERROR", "ERROR"]
CODES = ["NOT_COMPARABLE_SHAPE", "NOT_COMPARABLE_EMPTY", "NAN_IN_BASELINE", "NAN_IN_OUTPUT"]
BACKENDS = ["onnx_cpu_fp32", "coreml_any_fp16", "executorch_xnnpack", "torch_mps_fp16"]
ERRORS = [
    "NotImplementedError: The operator 'aten::op_%d' is not currently implemented for the MPS device. More",
    "NotImplementedError: Could not run 'aten::op_%d' with arguments from the 'CPU' backend.",
    "ValueError: Torch var op_%d not found in context",
    "ConversionError: Failed to convert the exported program to an ONNX model. Step %d",
    "RuntimeError: method->execute() failed with error 0x%d",
    "Fail: [ONNXRuntimeError] : 1 : FAIL : op_%d",
    "  \x1b[31mUnsupported: something %d\x1b[0m\nsecond line",
    "TypeError: " + "é" * 160 + " %d",
    {"type": "ValueError", "msg": "of its own %d"},
]


def outcome(rng, number):
    """One side of a result."""
    status = rng.choice(STATUSES)
    error = None
    if status not in ("OK", "SKIPPED"):
        error = rng.choice(ERRORS)
        if isinstance(error, str):
            error = error % (number % 7)
        else:
            error = {"type": error["type"], "msg": error["msg"] % (number % 3)}
    if status == "TIMED_ERROR" and rng.random() < 0.5:
        error = "TIMEOUT: timeout_s=30.0"
    return {"status": status, "err": error, "ms": round(rng.lognormvariate(0, 1), 4) if status == "OK" else None}


def differences(rng):
    """Of one to three repeats, or none."""
    if rng.random() < 0.1:
        return rng.choice([None, []])
    list_of_all = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        if rng.random() < 0.07:
            list_of_all.append({"ok": False, "code": rng.choice(CODES), "msg": None})
            continue
        size = rng.choice([0.0, 1e-6, 1e-4, 1e-2, 0.1, 1.0, 10 ** rng.uniform(-9, 2)])
        if rng.random() < 0.02:
            size = float("nan")
        list_of_all.append({"ok": True, "mse": size * size, "max_abs": size, "mean_abs": size / 3})
    return list_of_all


def item(rng, number):
    pair = rng.random() < 0.1
    baseline = None
    if not pair and rng.random() < 0.9:
        baseline = {"backend": "torch_cpu_fp32", **outcome(rng, number), "times_all": None}
        if baseline["status"] == "OK" and rng.random() < 0.05:
            baseline["ms"] = 0.0
    targets = [b for b in BACKENDS if rng.random() < 0.8]
    if pair or rng.random() < 0.2:
        targets.append("torch_cpu_fp32")
    backends = []
    for backend in targets:
        res = [outcome(rng, number) for _ in range(2 if pair else 1)]
        if rng.random() < 0.03:
            res = []
        ok = res and all(r["status"] == "OK" for r in res)
        backends.append({"backend": backend, "res": res, "times_all": None,
                         "diff_all": differences(rng) if ok else None})
    return {"type": "item", "id": "op_%03d" % number, "test_type": "pair" if pair else "single",
            "cases": [{"op": "aten::op_%d" % number}], "baseline": baseline, "backends": backends}


def main():
    seed, operators, runs = (int(a) for a in sys.argv[1:])
    rng = random.Random(seed)
    for run in range(runs):
        print(json.dumps({"type": "meta", "meta": {"format_name": "opdiff_run", "format_version": 1,
                                                   "created_at": "2026-11-2%d" % run}}))
        for number in range(operators):
            if not run or rng.random() < 0.4:
                print(json.dumps(item(rng, number)))


main()
