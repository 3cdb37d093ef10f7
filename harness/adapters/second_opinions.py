#!/usr/bin/env python3
"""Holds third-party readers against the matrix and grown inputs, and every disagreement against the ledger.

usage: second_opinions.py [N] [--seed S] [--ledger FILE] [--output DIR] --reader NAME=OPTIONS [--reader …]

OPTIONS is how `hurray-conform run` is told of the reader: "hurray-rust=--reader build/…/adapter". N inputs (500) are
grown besides the matrix, each legal, asked for its values, and broken in one way. A disagreement is a reader, a rule and a
kind: false-accept, false-reject, wrong-view, wrong-value, robustness; an entry of conformance/adjudications.json says who is
right and which sentence decides. What the register itself calls disputed is listed as open by that reading. Writes
DIR/second-opinions.md and .json (report/). Exit status: 0 every disagreement is adjudicated and every adjudication used,
1 not so, 3 a reader could not be run, 4 the ledger makes no sense.
"""
import argparse
import collections
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFORM = os.environ.get("HURRAY_CONFORM", ROOT / "build/dev/harness/hurray-conform")
NO_DISAGREEMENT = ("pass", "choice", "not-applicable")
NO_RULE = "none-named"


def complain(code, text):
    print(f"second-opinions: {text}", file=sys.stderr)
    sys.exit(code)


def kind_of(case):
    shows = case["judgement"] == "wrong-value" and case["detail"].startswith("view")
    return "wrong-view" if shows else case["judgement"]


def ask(name, options, count, seed, output):
    """The disagreements of one reader."""
    report = output / f"second-opinion-{name}.json"
    done = subprocess.run([CONFORM, "run", *shlex.split(options), "--random", str(count), "--seed", str(seed), "--json", report, "--quiet"],
                          cwd=ROOT, capture_output=True, text=True, errors="replace")
    if done.returncode not in (0, 1):
        complain(3, f"{name} could not be judged to the end (exit code {done.returncode}): {done.stderr.strip()[-500:]}")
    result = json.loads(report.read_text(encoding="utf-8"))
    cases = [case for case in result["cases"] if case["judgement"] not in NO_DISAGREEMENT]
    return result["totals"]["cases"], cases


def load_ledger(path):
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        complain(4, f"{path}: {error}")
    for number, entry in enumerate(entries, 1):
        missing = [key for key in ("reader", "rule", "kind", "right", "why") if not entry.get(key)]
        if missing:
            complain(4, f"{path}: entry {number} lacks {', '.join(missing)}")
        if entry["right"] == "open" and not entry.get("reading") or entry["right"] != "open" and not entry.get("sentence"):
            complain(4, f"{path}: entry {number} ({entry['reader']}, {entry['rule']}) says neither which sentence decides nor which reading leaves it open")
    return entries


def settles(entry, reader, case):
    return (entry["reader"] == reader and entry["rule"] == (case["rule"] or NO_RULE) and entry["kind"] == kind_of(case)
            and entry.get("surface", case["surface"]) == case["surface"] and entry.get("mode", case["mode"]) == case["mode"]
            and entry.get("match", "") in case["detail"])


def adjudicate(reader, cases, ledger, used):
    """Groups of cases by (kind, rule), each with its entry; the last group key is None where nobody has looked."""
    groups = collections.defaultdict(list)
    for case in cases:
        if case["judgement"] == "disputed":
            entry = {"right": "open", "reading": case["detail"].rsplit("rests on ", 1)[-1].rstrip(")"), "why": "disputed in the register"}
        else:
            entry = next((one for one in ledger if settles(one, reader, case)), None)
            if entry is not None:
                used.add(id(entry))
        groups[(kind_of(case), case["rule"] or NO_RULE, json.dumps(entry, sort_keys=True))].append(case)
    return [(kind, rule, json.loads(entry), members) for (kind, rule, entry), members in sorted(groups.items())]


def render(rows, stale, asked):
    lines = ["# Second opinions", "", "Every disagreement between the suite and the readers below, and who is right.", ""]
    lines += [f"- {reader}: {count} questions, {sum(len(row[4]) for row in rows if row[0] == reader)} answered otherwise, "
              f"{sum(1 for row in rows if row[0] == reader)} groups" for reader, count in asked.items()]
    lines += ["", "| reader | kind | rule | cases | right | what decides |", "|---|---|---|---|---|---|"]
    for reader, kind, rule, entry, cases in rows:
        decides = "**nobody has looked**" if entry is None else entry.get("sentence") or entry.get("reading")
        lines.append(f"| {reader} | {kind} | {rule} | {len(cases)} | {entry['right'] if entry else ''} | {decides} |")
    if stale:
        lines += ["", "## Adjudications that nothing needs", ""]
        lines += [f"- {entry['reader']}: {entry['kind']} {entry['rule']}" for entry in stale]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ledger", type=pathlib.Path, default=ROOT / "conformance/adjudications.json")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "report")
    parser.add_argument("--reader", action="append", required=True, metavar="NAME=OPTIONS")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    ledger, used, rows, asked = load_ledger(options.ledger), set(), [], {}
    for name, _, how in (reader.partition("=") for reader in options.reader):
        asked[name], cases = ask(name, how, options.count, options.seed, options.output.resolve())
        rows += [(name, *row) for row in adjudicate(name, cases, ledger, used)]
    stale = [entry for entry in ledger if entry["reader"] in asked and id(entry) not in used]
    unseen = [row for row in rows if row[3] is None]
    (options.output / "second-opinions.md").write_text(render(rows, stale, asked), encoding="utf-8")
    summary = {"readers": asked, "groups": len(rows), "open": len(unseen), "stale": len(stale), "adjudications": len(ledger)}
    (options.output / "second-opinions.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    for reader, kind, rule, _, cases in unseen:
        print(f"open: {reader}: {kind} {rule}, {len(cases)} cases, such as {cases[0]['id']} on {cases[0]['surface']}: {cases[0]['detail'][:200]}")
    for entry in stale:
        print(f"stale: {entry['reader']}: {entry['kind']} {entry['rule']} settled nothing")
    print(f"{len(rows)} groups of disagreements, {len(unseen)} open, {len(stale)} stale adjudications; report/second-opinions.md")
    return 1 if unseen or stale else 0


if __name__ == "__main__":
    sys.exit(main())
