#!/usr/bin/env python3
"""Fails where a rule of the register has no check, no fault or no case and its entry does not say why.

usage: check_completeness.py ROOT

A rule that a reader must enforce (class reject, reject-implied, reject-should) needs
  - a check site, Rule::ID in reference/*.cc, or "no_check": why, or "same_as": the rule that is checked instead;
  - a fault in its entry, or "no_fault": why, or "same_as";
  - a case: its faults count; a rule with "same_as" needs a rejected one in conformance/cases/.
A rule of class accept or either needs a case, or "no_case": why.
"""
import json
import pathlib
import re
import sys

READER_FAMILIES = {"BUF", "CMP", "DESC", "DM", "FILE", "FRAME", "LAY", "Q", "STRM", "TYPE", "VER"}
ENFORCED = {"reject", "reject-implied", "reject-should"}
SHOWN = {"accept", "either"}


def load(path: pathlib.Path):
    with path.open(encoding="utf-8") as text:
        return json.load(text)


def lines_of(path: pathlib.Path) -> dict:
    """The line of each entry, by id."""
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for identifier in re.findall(r'"id":\s*"([^"]+)"', line):
            found.setdefault(identifier, number)
    return found


def check_sites(root: pathlib.Path) -> set:
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((root / "reference").glob("**/*.cc"))
                   if "tests" not in path.parts)
    return set(re.findall(r"Rule::([A-Z0-9_]+)", text))


def gaps_of(rule: dict, cases: set, refused: set, checked: set, rules: dict):
    """What the rule lacks, each as a sentence with its remedy."""
    kind = rule["class"]
    if kind in ENFORCED and "same_as" in rule:
        if rules.get(rule["same_as"], {}).get("class") not in ENFORCED:
            yield f"same_as names {rule['same_as']}, which no reader has to enforce"
        if rule["id"] not in refused and "no_case" not in rule:
            yield "restates another rule, but has no reject case of its own to be scored by; add one, or say why with no_case"
        return
    if kind in ENFORCED:
        if rule["id"].replace("-", "_") not in checked and "no_check" not in rule:
            yield "no check in reference/ names it; add one, or say why with no_check"
        if "faults" not in rule and "no_fault" not in rule:
            yield "no fault; add one, or say why with no_fault"
        if "faults" not in rule and rule["id"] not in cases and "no_case" not in rule:
            yield "no fault and no case; add one, or say why with no_case"
    if kind in SHOWN and rule["id"] not in cases and "faults" not in rule and "no_case" not in rule and "same_as" not in rule:
        yield f"class {kind}, no case; add one, or say why with no_case"


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(sys.argv[1])
    files = sorted((root / "conformance" / "rules").glob("*.json"))
    rules = {rule["id"]: rule for path in files for rule in load(path)}
    case_files = sorted((root / "conformance" / "cases").glob("*.json"))
    cases = {case["rule"] for path in case_files for case in load(path)}
    refused = {case["rule"] for path in case_files for case in load(path) if case["expect"].get("strict") == "reject"}
    checked = check_sites(root)
    gaps = 0
    for path in files:
        lines = lines_of(path)
        for rule in load(path):
            if rule["id"].split("-")[0] not in READER_FAMILIES:
                continue
            for gap in gaps_of(rule, cases, refused, checked, rules):
                print(f"{path.relative_to(root)}:{lines[rule['id']]}: {rule['id']}: {gap}")
                gaps += 1
    print(f"{len(rules)} rules, {gaps} gaps")
    return 1 if gaps else 0


if __name__ == "__main__":
    sys.exit(main())
