#!/usr/bin/env python3
"""Writes into mutants.json which case catches each mutant, as the quick selftest asks only that one.

usage: name_cases.py MUTANTS.json SELFTEST.json    (the latter from hurray-conform selftest --json)

An entry whose case still catches it is left alone. Otherwise the most particular case is named: one that a mutant shares
with the fewest others.
"""
import collections
import json
import pathlib
import sys


def main():
    table, selftest = pathlib.Path(sys.argv[1]), json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    mutants = json.loads(table.read_text(encoding="utf-8"))
    caught = {row["mutant"]: [case.rsplit(" (", 1)[0] for case in row["cases"]] for row in selftest["mutants"]["matrix"]}
    shared = collections.Counter(case for cases in caught.values() for case in set(cases))
    for mutant in mutants:
        cases = caught.get(mutant["name"], [])
        if cases:
            mutant.pop("survives", None)
        if cases and mutant.get("caught_by") not in cases:
            mutant["caught_by"] = min(cases, key=lambda case: (shared[case], cases.index(case)))
    text = ",\n".join(" " + json.dumps(mutant, ensure_ascii=False) for mutant in mutants)
    table.write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
