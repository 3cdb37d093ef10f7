#!/usr/bin/env python3
"""Searches for an input that a reader behind the C door and the reference treat differently.

usage: run.py LIBRARY.so SECONDS [--ledger FILE]

./dev fuzz-diff builds and then calls this. The corpus is build/corpus/fz_diff/. A finding is made smaller by
`hurray-conform minimize` and shown with its kind, its rule and the commands that reproduce it. Without one, adjudications
of the ledger that settled nothing over the whole corpus are listed. Exit status: 0 nothing found, 1 a difference, 2 stale
adjudications, 4 the set-up is wrong.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "build/fuzz/fuzz/fz_diff"
SEEDS = ROOT / "build/fuzz/fuzz/seeds/fz_diff"
CORPUS = ROOT / "build/corpus/fz_diff"
FINDINGS = ROOT / "build/findings/fz_diff"
CONFORM = ROOT / "build/dev/harness/hurray-conform"
LINE = re.compile(r"property broken: reader and reference agree: ((\S+) rule=(\S+).*? surface=(\S+) mode=(\S+): .*)")


def run(arguments):
    environment = dict(os.environ, ASAN_OPTIONS="abort_on_error=1:detect_leaks=0")  # a reader's leaks are not what is looked for
    done = subprocess.run([str(part) for part in arguments], env=environment, capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout + done.stderr


def complain(text):
    print(f"fuzz-diff: {text}", file=sys.stderr)
    sys.exit(4)


def shown(path):
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def show_finding(artifact, output, library, reader):
    # Run again: what is printed then is about this very input, and the input is written without the target's prefix.
    plain = FINDINGS / f"{artifact.name}.input"
    status, again = run([TARGET, *reader, f"--write-input={plain}", artifact])
    line = LINE.search(again) or LINE.search(output)
    print(f"reproduce:  {shown(TARGET)} {' '.join(reader)} {shown(artifact)}")
    if not line:
        summary = re.search(r"(SUMMARY|ERROR): .*|property broken: .*", again + output)
        print(f"FOUND:      {summary.group(0) if summary else 'the reader broke down in the target'}")
        print("            a breakdown of the reader in-process; see the output of the command above")
        return
    text, kind, rule, surface, mode = line.groups()
    print(f"FOUND:      {text}\nkind:       {kind}\nrule:       {rule}\ninput:      {shown(plain)} ({plain.stat().st_size} bytes, {surface}, {mode})")
    if not CONFORM.exists():
        return
    small = FINDINGS / f"{artifact.name}.minimised"
    _, minimised = run([CONFORM, "minimize", plain, "--surface", surface, "--mode", mode, "--library", library, "--memory-mb", "0",
                        "--max-tries", "3000", "-o", small, "--quiet"])
    if small.exists():
        print(f"minimised:  {shown(small)} ({small.stat().st_size} bytes)\nlook at it: {shown(CONFORM)} explain {shown(small)} --surface {surface} --mode {mode}")
        print("keep it:    " + f"{shown(CONFORM)} corpus promote {shown(small)} --surface {surface} --rule {rule}")
    else:
        print(f"not minimised: {minimised.strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("seconds", type=int)
    parser.add_argument("--ledger", type=pathlib.Path)
    options = parser.parse_args()
    library = options.library.resolve()
    if not library.exists():
        complain(f"{options.library}: there is no such file")
    if not TARGET.exists() or not SEEDS.exists():
        complain("fz_diff is not built; run ./dev fuzz-diff, which builds it")
    for folder in (CORPUS, FINDINGS):
        folder.mkdir(parents=True, exist_ok=True)
    reader = [f"--reader={library}"] + ([f"--ledger={options.ledger.resolve()}"] if options.ledger else [])
    known = set(FINDINGS.iterdir())
    # Without -entropic=0 most of the time goes into the engine's own book-keeping over some thousand seeds.
    status, output = run([TARGET, *reader, f"-max_total_time={options.seconds}", "-entropic=0", "-max_len=4096", "-timeout=20",
                          "-rss_limit_mb=4096", "-print_final_stats=1", f"-artifact_prefix={FINDINGS}/", CORPUS, SEEDS])
    name = re.search(r"fz_diff: (.*) from ", output)
    executions = re.search(r"number_of_executed_units: *(\d+)", output) or re.search(r"#(\d+)", output)
    print(f"fz_diff against {name.group(1) if name else library.name}: {executions.group(1) if executions else 'no'} executions")
    artifacts = [path for path in FINDINGS.iterdir() if path not in known]
    if artifacts:
        show_finding(artifacts[0], output, library, reader)
        return 1
    if status != 0:
        complain("the target ended without an input:\n" + output[-2000:])
    _, replay = run([TARGET, *reader, "-runs=0", "-entropic=0", CORPUS, SEEDS])
    stale = re.findall(r"stale adjudication: .*", replay)
    print("\n".join(stale) if stale else "no difference that is not adjudicated")
    return 2 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
