# SPDX-License-Identifier: Apache-2.0
"""Runs the steps of a composite action, or of a job of a workflow, as GitHub's runner does: a shell for each, its
environment, and the files GITHUB_OUTPUT, GITHUB_PATH, GITHUB_STEP_SUMMARY between them.

usage: steps.py action.yml NAME=VALUE…         inputs of an action
       steps.py WORKFLOW.yml JOB [NAME=VALUE…] a workflow: what `github.…`, `inputs.…`, `secrets.…` are

What is `uses:` is not fetched: of regild's own action the steps are run, of others "uses NAME" is printed. An expression
that this does not know is an error. Prints "== STEP" before each; ends with the first exit code that is not 0, after the
steps that run anyway.
"""
import os
import re
import subprocess
import sys

import yaml

TOP = os.environ["REGILD_TOP"]
TEMP = os.environ["RUNNER_TEMP"]


def value(expression, context):
    """Of what action.yml and the examples use: names, 'text', ==, !=, &&, ||."""
    expression = expression.strip()
    for operator in ("||", "&&"):
        left, found, right = expression.partition(operator)
        if found:
            first = value(left, context)
            if operator == "||":
                return first or value(right, context)
            return value(right, context) if first else first
    for operator in ("==", "!="):
        left, found, right = expression.partition(operator)
        if found:
            return (value(left, context) == value(right, context)) == (operator == "==")
    if expression[:1] == "'":
        return expression[1:-1]
    if not re.fullmatch(r"[a-z_]+(\.[A-Za-z_-]+)+", expression):
        raise SystemExit(f"steps.py: does not know the expression '{expression}'")
    if expression.split(".")[0] not in ("inputs", "github", "steps", "env", "secrets", "strategy"):
        raise SystemExit(f"steps.py: does not know '{expression}'")
    return context.get(expression, "")


def fill(text, context):
    return re.sub(r"\$\{\{(.*?)\}\}", lambda m: str(value(m[1], context)), str(text))


def commands(path):
    """NAME=VALUE lines, as the runner reads them; a line that is neither is an error."""
    lines = open(path, encoding="utf-8").read().splitlines()
    for line in lines:
        name, found, text = line.partition("=")
        if not found or "<<" in name:
            raise SystemExit(f"steps.py: a line of GITHUB_OUTPUT is no output: {line}")
        yield name, text


def run_step(step, context, environment, summary):
    files = {name: os.path.join(TEMP, name) for name in ("GITHUB_OUTPUT", "GITHUB_PATH")}
    for path in files.values():
        open(path, "w", encoding="utf-8").close()
    env = dict(os.environ, **environment, **files, GITHUB_STEP_SUMMARY=summary)
    for name, text in (step.get("env") or {}).items():
        env[name] = fill(text, context)
    if "${{" in step["run"]:
        raise SystemExit(f"steps.py: an expression in the script of '{step.get('name')}'")
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    code = subprocess.run(shell, env=env, check=False).returncode
    for name, text in commands(files["GITHUB_OUTPUT"]):
        context[f"steps.{step.get('id', '')}.outputs.{name}"] = text
    for line in open(files["GITHUB_PATH"], encoding="utf-8"):
        environment["PATH"] = line.strip() + ":" + environment.get("PATH", os.environ["PATH"])
    return code


def run_action(step, context, environment, summary):
    action = yaml.safe_load(open(f"{TOP}/action.yml", encoding="utf-8"))
    inner = {name: text for name, text in context.items() if name.startswith(("github.", "strategy."))}
    given = {name: fill(text, context) for name, text in (step.get("with") or {}).items()}
    for name, about in action["inputs"].items():
        inner[f"inputs.{name}"] = given.pop(name, fill(about.get("default", ""), context))
    if given:
        raise SystemExit(f"steps.py: the action has no input {', '.join(given)}")
    code = run_steps(action["runs"]["steps"], inner, environment, summary)
    for name, about in action["outputs"].items():
        context[f"steps.{step.get('id', '')}.outputs.{name}"] = fill(about["value"], inner)
    return code


def run_steps(steps, context, environment, summary):
    failed = 0
    for step in steps:
        name = step.get("name") or step.get("uses") or step.get("id")
        condition = step.get("if")
        if failed or (condition and not value(re.sub(r"^\$\{\{|\}\}$", "", condition), context)):
            continue
        print(f"== {name}", flush=True)
        uses = step.get("uses", "")
        if uses.startswith("OWNER/regild@"):
            code = run_action(step, context, environment, summary)
        elif uses:
            if not re.fullmatch(r"[a-z-]+/[a-z-]+@[0-9a-f]{40}", uses):
                raise SystemExit(f"steps.py: {uses} is not by a commit")
            code = 0
            if "upload-artifact" in uses:
                context[f"steps.{step.get('id', '')}.outputs.artifact-url"] = "https://github.com/o/n/actions/runs/1/artifacts/2"
                print("uploads", os.path.basename(fill(step["with"]["path"], context)), flush=True)
        else:
            code = run_step(step, context, environment, summary)
        failed = 0 if step.get("continue-on-error") else code
    return failed


def main():
    path, words = sys.argv[1], sys.argv[2:]
    document = yaml.safe_load(open(path, encoding="utf-8"))
    summary = os.path.join(TEMP, "summary.md")
    context = {"github.token": "test-token"}
    if "runs" in document:
        step = {"id": "regild", "with": dict(word.split("=", 1) for word in words if not word.startswith(("github.", "strategy.")))}
        context.update(word.split("=", 1) for word in words if word.startswith(("github.", "strategy.")))
        code = run_action(step, context, {}, summary)
        for name, text in context.items():
            if name.startswith("steps.regild."):
                print(f"{name.rpartition('.')[2]}={text}")
    else:
        job = document["jobs"][words[0]]
        context.update(word.split("=", 1) for word in words[1:])
        environment = {name: fill(text, context) for name, text in (job.get("env") or {}).items()}
        context.update({f"env.{name}": text for name, text in environment.items()})
        if "if" in job and not value(re.sub(r"^\$\{\{|\}\}$", "", job["if"]), context):
            print("the job is not for this event")
            return 0
        code = run_steps(job["steps"], context, environment, summary)
    return code


sys.exit(main())
