#!/usr/bin/env python3
"""Would the suite notice? Small random changes to the sources of reference/, each judged by the default matrix.

usage: mutate.py BUILD OUT.json [--minutes M] [--seed N] [--jobs N] [--file NAME.cc ...] [--again REPORT.json]

The changes are those of the published universalmutator (requirements.txt). Each is compiled into a reader of its own, which the
ordinary harness judges until something catches it. A survivor is a case that is missing, or changes nothing that a reader
may be blamed for: equivalent.json says which and why, by the text of the line, so that no entry outlives its line.
OUT.json: {"seed", "killed", "equivalent", "survived", "uncompilable", "score", "stale", "mutants": [{"name", "file", "line",
"from", "to", "outcome", "case" | "why"}]}. --again judges the survivors of a report once more. Exit code 1 where a mutant
survives or an entry of equivalent.json is out of date.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import time

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
ledger_file = here / "equivalent.json"
batch_size = 32
# Preprocessor lines, comments, assertions of the compiler, and offsets that only messages name.
not_code = [r"^\s*#", r"^\s*//", r"static_assert", r"^\s*constexpr std::uint64_t \w+_at = \d"]

Mutant = collections.namedtuple("Mutant", "name file line before after")


def mutants_of(path):
    try:
        from universalmutator import mutator
    except ImportError:
        sys.exit("mutate: universalmutator is not installed: pip install -r harness/mutants/requirements.txt (./dev mutate does)")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    with open(os.devnull, "w", encoding="utf-8") as quiet:
        stdout, sys.stdout = sys.stdout, quiet
        try:
            found = mutator.mutants_regexp(lines, ["universal.rules", "c_like.rules", "cpp.rules"], ignorePatterns=not_code,
                                           ignoreStringOnly=True)
        finally:
            sys.stdout = stdout
    unjudged = said_only("".join(lines))
    mutants = []
    for line, after, *_ in found:
        before, after = lines[line - 1].rstrip("\n"), after.rstrip("\n")
        start = sum(map(len, lines[:line - 1]))
        first, last = changed_span(before, after)
        said = any(begin <= start + first and start + last <= end for begin, end in unjudged)
        one_line = "\n" not in after  # a break or continue put behind a statement is no slip of a programmer
        if after.strip() != before.strip() and one_line and not said and not is_no_code(before, first, last):
            mutants.append(Mutant("", path.name, line, before.strip(), after))
    return mutants


def changed_span(before, after):
    """Where in `before` it differs from `after`."""
    first = len(os.path.commonprefix([before, after]))
    tail = len(os.path.commonprefix([before[first:][::-1], after[first:][::-1]]))
    return first, len(before) - tail


def is_no_code(before, first, last):
    """Changes that cannot compile: digits of a name, and the brackets of a template, which stand without blanks here."""
    word = next((word for word in re.finditer(r"\w+", before) if word.start() <= first < word.end()), None)
    in_name = word is not None and not word.group()[0].isdigit() and before[first].isdigit()
    bracket = before[first:last].strip("-") in ("<", ">") and before[first - 1:first] not in ("", " ")
    return in_name or bracket


def said_only(text):
    """Stretches that only say where and how a rule is broken, which nobody judges: of check.that(holds, rule, at, words ...)
    all from `at` on, of Violation{rule, at, words} likewise."""
    stretches = []
    for match in re.finditer(r"\.that\(|Violation\{", text):
        kept = 2 if match.group().startswith(".") else 1
        depth, commas = 1, 0
        begin = position = match.end()
        while depth > 0 and position < len(text):
            if text[position] == '"':
                position = text.index('"', position + 1)
            elif text[position] in "([{":
                depth += 1
            elif text[position] in ")]}":
                depth -= 1
            elif text[position] == "," and depth == 1:
                commas += 1
                begin = position if commas == kept else begin
            position += 1
        if commas >= kept:
            stretches.append((begin, position - 1))
    return stretches


def sample(files, seed):
    everything = [mutant for path in files for mutant in mutants_of(path)]
    random.Random(seed).shuffle(everything)
    return [mutant._replace(name=f"{mutant.file[:-3]}-{mutant.line}-{number}") for number, mutant in enumerate(everything)]


class Workshop:
    """Builds readers with one changed source each."""

    def __init__(self, build):
        self.build = build.resolve()
        self.folder = self.build / "mutate"
        self.folder.mkdir(exist_ok=True)
        self.judge = self.build / "harness" / "hurray-conform"
        commands = json.loads((self.build / "compile_commands.json").read_text(encoding="utf-8"))
        self.commands = {}
        for entry in commands:
            source = pathlib.Path(entry["file"])
            if source.parent == root / "reference":
                words = [word for word in shlex.split(entry["command"]) if word != str(source) and not word.endswith("ccache")]
                self.commands[source.name] = words[:words.index("-o")]
        self.libraries = [self.build / "harness" / "mutants" / "CMakeFiles" / "hurray-plain-reader.dir" / "plain_reader.cc.o"]
        self.archives = [self.build / "harness" / "mutants" / "libhurray_mutant_adapter.a",
                         self.build / "reference" / "libhurray_reference.a"]
        for file in (self.judge, *self.libraries, *self.archives):
            if not file.exists():
                sys.exit(f"mutate: {file} is not there; build hurray-conform and hurray-plain-reader")

    def compile(self, mutant, options, out):
        source = self.folder / f"{mutant.name}.cc"
        lines = (root / "reference" / mutant.file).read_text(encoding="utf-8").splitlines()
        lines[mutant.line - 1] = mutant.after
        source.write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [*self.commands[mutant.file], "-w", *options, "-c", source, "-o", out]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.build, check=False)
        source.unlink()
        return done.returncode == 0

    def make(self, mutant):
        """Whether the mutant compiles; its reader then stands in the folder."""
        out = self.folder / f"{mutant.name}.o"
        if not self.compile(mutant, ["-O0", "-g0"], out):
            return False
        compiler = self.commands[mutant.file][0]
        command = [compiler, *self.libraries, out, *self.archives, "-lfmt", "-o", self.folder / mutant.name]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        out.unlink()
        return done.returncode == 0

    def is_same_code(self, mutant):
        """Whether an optimising compiler makes the same of both: then nothing can tell them apart."""
        made = []
        for name, text in (("same", mutant.before), ("same", mutant.after)):
            out = self.folder / "same.o"
            if not self.compile(mutant._replace(name=name, after=text), ["-O2", "-g0", "-DNDEBUG"], out):
                return False
            made.append(out.read_bytes())
        return made[0] == made[1]

    def judged(self, mutants, jobs):
        """The first case that catches each, or None."""
        table, result, launcher = (self.folder / name for name in ("table.json", "result.json", "launch"))
        table.write_text(json.dumps([{"name": mutant.name, "file": mutant.file} for mutant in mutants]), encoding="utf-8")
        launcher.write_text(f"#!/bin/sh\nexec {shlex.quote(str(self.folder))}/\"$2\"\n", encoding="utf-8")
        launcher.chmod(0o755)
        only = [word for mutant in mutants for word in ("--only", mutant.name)]
        command = [self.judge, "selftest", "--quiet", "--first", "--everything", "--timeout-ms", "1000", "--jobs", str(jobs),
                   "--mutants", table, "--mutant-reader", launcher, "--json", result, *only]
        result.unlink(missing_ok=True)
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        rows = json.loads(result.read_text(encoding="utf-8"))["mutants"]["matrix"]
        return {row["mutant"]: next(iter(row["cases"]), row.get("error")) for row in rows}


def read_ledger():
    entries = json.loads(ledger_file.read_text(encoding="utf-8")) if ledger_file.exists() else []
    return {(entry["file"], entry["from"], entry["to"]): entry["why"] for entry in entries}


def stale_entries(ledger, killed):
    """Entries whose line is gone, and those whose mutant something caught."""
    stale = []
    for file, before, after in ledger:
        path = root / "reference" / file
        lines = {line.strip() for line in path.read_text(encoding="utf-8").splitlines()} if path.exists() else set()
        if before not in lines:
            stale.append(f"{file}: no line reads: {before}")
        elif (file, before, after) in killed:
            stale.append(f"{file}: {killed[file, before, after]} catches: {after}")
    return stale


def run(workshop, mutants, options):
    ledger, results = read_ledger(), []
    until = time.monotonic() + 60 * options.minutes
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for start in range(0, len(mutants), batch_size):
            if time.monotonic() >= until:
                break
            batch = mutants[start:start + batch_size]
            made = [mutant for mutant, good in zip(batch, pool.map(workshop.make, batch)) if good]
            cases = workshop.judged(made, options.jobs) if made else {}
            for mutant in batch:
                results.append(outcome_of(workshop, mutant, mutant in made, cases.get(mutant.name), ledger))
                (workshop.folder / mutant.name).unlink(missing_ok=True)
            count = collections.Counter(result["outcome"] for result in results)
            print(", ".join(f"{number} {name}" for name, number in sorted(count.items())), flush=True)
    killed = {(result["file"], result["from"], result["to"]): result["case"] for result in results if "case" in result}
    return results, stale_entries(ledger, killed)


def found_again(row):
    """The mutant of an earlier report where its line stands now, or nothing."""
    path = root / "reference" / row["file"]
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    at = [number for number, line in enumerate(lines, 1) if line.strip() == row["from"]]
    return [Mutant(row["name"], row["file"], min(at, key=lambda number: abs(number - row["line"])), row["from"], row["to"])] if at else []


def outcome_of(workshop, mutant, is_made, case, ledger):
    result = {"name": mutant.name, "file": mutant.file, "line": mutant.line, "from": mutant.before, "to": mutant.after.strip()}
    if not is_made:
        return dict(result, outcome="uncompilable")
    if case:
        return dict(result, outcome="killed", case=case)
    why = ledger.get((mutant.file, mutant.before, mutant.after.strip()))
    if why:
        return dict(result, outcome="equivalent", why=why)
    if workshop.is_same_code(mutant):
        return dict(result, outcome="equivalent", why="the compiler makes the same code of both")
    return dict(result, outcome="survived")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--file", action="append", default=[])
    parser.add_argument("--again", type=pathlib.Path)
    options = parser.parse_args()
    workshop = Workshop(options.build)
    if options.again:
        rows = json.loads(options.again.read_text(encoding="utf-8"))["mutants"]
        mutants = [found for row in rows if row["outcome"] == "survived" for found in found_again(row)]
    else:
        files = sorted(path for path in (root / "reference").glob("*.cc") if not options.file or path.name in options.file)
        mutants = sample(files, options.seed)
    results, stale = run(workshop, mutants, options)
    count = collections.Counter(result["outcome"] for result in results)
    judged = count["killed"] + count["survived"]
    score = 100.0 * count["killed"] / judged if judged else 100.0
    report = {"seed": options.seed, **{name: count[name] for name in ("killed", "equivalent", "survived", "uncompilable")},
              "score": round(score, 2), "stale": stale, "mutants": results}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for result in results:
        if result["outcome"] == "survived":
            print(f"survived {result['file']}:{result['line']}\n  - {result['from']}\n  + {result['to']}")
    for line in stale:
        print(f"stale    {line}")
    print(f"{count['killed']} of {judged} killed ({score:.1f} %), {count['equivalent']} equivalent, {count['uncompilable']} do not compile")
    sys.exit(1 if count["survived"] or stale else 0)


if __name__ == "__main__":
    main()
