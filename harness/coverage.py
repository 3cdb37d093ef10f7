#!/usr/bin/env python3
"""Which lines and branches of reference/ the default matrix reaches.

usage: coverage.py BUILD OUT.json [--jobs N] [--least PERCENT] [--waived]

BUILD is the folder of the coverage preset. The bundled reader is judged as any other, every case in both modes, and what it
ran through is counted. OUT.json: {"lines": {covered, total}, "branches": {covered, total}, "files": [{"name", "lines",
"branches", "missed": ["LINE:COLUMN true|false: source"]}]}, and with --waived {"with_waived_rules": {"lines", "branches"}}:
what the kill matrix reaches besides, the same cases put to the reader with one rule after the other waived (some minutes).
Exit code 1 where the reader failed a case or fewer branches are covered than --least asks for.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent


def tool(name):
    found = next((path for path in (shutil.which(f"{name}-16"), shutil.which(name)) if path), None)
    return found or sys.exit(f"coverage: {name} is not installed (Debian: llvm-16)")


def counted(command, raw):
    """The exit code; each child counts in its own profile, also where it is killed."""
    environment = dict(os.environ, LLVM_PROFILE_FILE=str(raw / "%c%p.profraw"))
    return subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode


def judge(program, raw, jobs):
    shutil.rmtree(raw, ignore_errors=True)
    raw.mkdir(parents=True)
    return counted([program, "run", "--builtin", "--quiet", "--jobs", str(jobs), "--timeout-ms", "60000"], raw)


def judge_waived(program, raw, jobs):
    no_mutants = raw.parent / "no_mutants.json"
    no_mutants.write_text("[]", encoding="utf-8")
    counted([program, "selftest", "--quiet", "--jobs", str(jobs), "--timeout-ms", "60000", "--mutants", no_mutants], raw)


def export(program, raw):
    profile = raw.parent / "merged.profdata"
    subprocess.run([tool("llvm-profdata"), "merge", "-sparse", "-o", profile, *sorted(raw.glob("*.profraw"))], check=True)
    command = [tool("llvm-cov"), "export", program, f"-instr-profile={profile}", root / "reference"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["data"][0]


def missed_branches(entry):
    """Directions that no instance of a template took."""
    taken = {}
    for line, column, _, _, true_count, false_count, *_ in entry["branches"]:
        seen = taken.setdefault((line, column), [0, 0])
        seen[0] += true_count
        seen[1] += false_count
    source = pathlib.Path(entry["filename"]).read_text(encoding="utf-8").splitlines()
    return [f"{line}:{column} {name}: {source[line - 1].strip()}"
            for (line, column), counts in sorted(taken.items()) for name, count in zip(("true", "false"), counts) if count == 0]


def count(summary):
    return {"covered": summary["covered"], "total": summary["count"]}


def summarise(data):
    files = []
    for entry in data["files"]:
        name = pathlib.Path(entry["filename"]).relative_to(root).as_posix()
        summary = entry["summary"]
        files.append({"name": name, "lines": count(summary["lines"]), "branches": count(summary["branches"]),
                      "missed": missed_branches(entry)})
    return {"lines": count(data["totals"]["lines"]), "branches": count(data["totals"]["branches"]), "files": files}


def percent(part):
    return 100.0 * part["covered"] / part["total"] if part["total"] else 100.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--waived", action="store_true")
    options = parser.parse_args()
    program = options.build.resolve() / "harness" / "hurray-conform"
    raw = options.build.resolve() / "coverage" / "raw"
    status = judge(program, raw, options.jobs)
    report = summarise(export(program, raw))
    if options.waived:
        judge_waived(program, raw, options.jobs)
        totals = export(program, raw)["totals"]
        report["with_waived_rules"] = {kind: count(totals[kind]) for kind in ("lines", "branches")}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    for entry in report["files"]:
        print(f"{entry['name']:<42} lines {percent(entry['lines']):6.2f} %  branches {percent(entry['branches']):6.2f} %")
    print(f"lines    {report['lines']['covered']} of {report['lines']['total']} ({percent(report['lines']):.2f} %)")
    print(f"branches {report['branches']['covered']} of {report['branches']['total']} ({percent(report['branches']):.2f} %)")
    if options.waived:
        more = report["with_waived_rules"]["branches"]
        print(f"branches {more['covered']} of {more['total']} ({percent(more):.2f} %) with every rule waived in turn")
    if status != 0:
        sys.exit(f"coverage: the reference fails the matrix (exit code {status})")
    if percent(report["branches"]) < options.least:
        sys.exit(f"coverage: fewer than {options.least:g} % of branches are covered")


if __name__ == "__main__":
    main()
