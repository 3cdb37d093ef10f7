#!/usr/bin/env python3
"""Runs fuzz targets and says what came of it.

usage: campaign.py run TARGET SECONDS          one target under libFuzzer (build/fuzz)
       campaign.py afl TARGET SECONDS          one target under AFL++ (build/afl)
       campaign.py campaign HOURS [--jobs N]   every target in turn under both engines; summary in fuzz/campaigns/

./dev fuzz, ./dev fuzz-afl and ./dev fuzz-campaign build first and then call this. Both engines read and fill one corpus,
build/corpus/TARGET/. Exit status: 0 nothing found, 1 a property was broken, 4 the set-up is wrong.
"""
import concurrent.futures
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Buffers of a file stand at multiples of 4096: two tensors need more than the others have.
LONGEST = {"fz_file": 1 << 15, "fz_roundtrip": 1 << 15}
# What the structure-aware mutator takes the bytes of a target for, as fuzz/CMakeLists.txt tells the libFuzzer targets.
INPUTS = {"fz_bare": "bare", "fz_chunked": "after_cuts", "fz_descriptor": "descriptor", "fz_file": "file", "fz_framed": "framed",
          "fz_kv_index": "sections", "fz_roundtrip": "after_carrier"}
AFL_MUTATOR = ROOT / "build/afl/fuzz/mutator/libhurray_afl_mutator.so"
SANITIZER_OPTIONS = {"ASAN_OPTIONS": "abort_on_error=1:symbolize=1", "UBSAN_OPTIONS": "print_stacktrace=1"}


def complain(text):
    print(f"fuzz: {text}", file=sys.stderr)
    sys.exit(4)


def measured(command, environment):
    """What a program printed, its exit status, and the processor time in seconds that it and what it waited for took."""
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen([str(part) for part in command], env=environment, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return output.read(), process.returncode, usage.ru_utime + usage.ru_stime


class Target:
    def __init__(self, name):
        self.name = name
        self.libfuzzer = ROOT / "build/fuzz/fuzz" / name
        self.afl = ROOT / "build/afl/fuzz" / name
        self.seeds = ROOT / "build/fuzz/fuzz/seeds" / name
        self.corpus = ROOT / "build/corpus" / name
        self.findings = ROOT / "build/findings" / name
        self.rules = ROOT / "build/findings" / f"{name}.rules"
        for folder in (self.corpus, self.findings):
            folder.mkdir(parents=True, exist_ok=True)

    def execute(self, arguments):
        return measured(arguments, dict(os.environ, HURRAY_RULE_REPORT=str(self.rules), **SANITIZER_OPTIONS))

    def rules_reached(self):
        return [line.split()[0] for line in self.rules.read_text().splitlines()] if self.rules.exists() else []


def last_number(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def reason(output):
    """The property that broke, or the sanitizer's or engine's own headline."""
    for pattern in (r"property broken: .*", r"runtime error: .*", r"SUMMARY: .*", r"ERROR: .*"):
        found = re.search(pattern, output)
        if found:
            return found.group(0)
    return "the target ended for a reason that it did not print"


def minimise(target, crash, seen=""):
    """`seen` is what was printed when it was found; it stands in where the input alone does not do it again."""
    small = target.findings / f"minimised-{crash.name}"
    target.execute([target.libfuzzer, "-minimize_crash=1", "-max_total_time=20", f"-exact_artifact_path={small}", crash])
    if not small.exists():
        shutil.copy(crash, small)
    printed, status, _ = target.execute([target.libfuzzer, small])
    text = reason(printed) if status != 0 else f"not again on its own; first seen as {reason(seen)}"
    rules = sorted(set(re.findall(r"\b[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d\d\b", text)))
    return {"file": str(small.relative_to(ROOT)), "size": small.stat().st_size, "why": text,
            "rule": ", ".join(rules) or "none named", "command": f"{target.libfuzzer.relative_to(ROOT)} {small.relative_to(ROOT)}"}


def run_libfuzzer(target, seconds):
    if not target.libfuzzer.exists():
        complain(f"{target.libfuzzer} is not built; run ./dev fuzz {target.name} {seconds}")
    before, known = len(list(target.corpus.iterdir())), set(target.findings.iterdir())
    output, status, processor = target.execute([target.libfuzzer, f"-max_total_time={seconds}", f"-max_len={LONGEST.get(target.name, 4096)}", "-print_final_stats=1", "-timeout=20",
                           "-rss_limit_mb=2048", f"-dict={ROOT / 'fuzz/hurray.dict'}", f"-artifact_prefix={target.findings}/",
                           target.corpus, target.seeds])
    new = [path for path in target.findings.iterdir() if path not in known and not path.name.startswith("slow-unit")]
    first, last = re.search(r"INITED.*cov: (\d+) ft: (\d+)|INITED cov: (\d+) ft: (\d+)", output), re.findall(r"cov: (\d+) ft: (\d+)", output)
    started = [group for group in first.groups() if group] if first else ["0", "0"]
    findings = [minimise(target, crash, output) for crash in new]
    if status != 0 and not new:
        findings.append({"file": "none", "size": 0, "why": reason(output), "rule": "none named", "command": str(target.libfuzzer)})
    return {"target": target.name, "engine": "libFuzzer", "seconds": seconds, "processor": processor,
            "executions": last_number(r"number_of_executed_units: (\d+)", output),
            "per_second": last_number(r"average_exec_per_sec: *(\d+)", output),
            "coverage": f"{started[0]} → {last[-1][0] if last else '?'}", "features": f"{started[1]} → {last[-1][1] if last else '?'}",
            "kept": len(list(target.corpus.iterdir())) - before, "rules": target.rules_reached(), "findings": findings}


def run_afl(target, seconds):
    if not target.afl.exists():
        complain(f"{target.afl} is not built; run ./dev fuzz-afl {target.name} {seconds}")
    output = ROOT / "build/afl/out" / target.name
    shutil.rmtree(output, ignore_errors=True)
    output.parent.mkdir(parents=True, exist_ok=True)
    # AFL++ wants inputs that do not crash and tells equal ones apart itself: the corpus if there is one, else the seeds.
    inputs = target.corpus if any(target.corpus.iterdir()) else target.seeds
    environment = dict(os.environ, AFL_NO_UI="1", AFL_SKIP_CPUFREQ="1", AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1", AFL_FAST_CAL="1")
    if target.name in INPUTS:
        environment.update(AFL_CUSTOM_MUTATOR_LIBRARY=str(AFL_MUTATOR), HURRAY_SURFACE=INPUTS[target.name])
    printed, _, processor = measured(["afl-fuzz", "-V", seconds, "-i", inputs, "-o", output, "-x", ROOT / "fuzz/hurray.dict",
                                      "--", target.afl], environment)
    stats = output / "default/fuzzer_stats"
    if not stats.exists():
        complain("afl-fuzz did not start:\n" + printed[-2000:])
    values = dict(line.split(":", 1) for line in stats.read_text().splitlines() if ":" in line)
    values = {key.strip(): value.strip() for key, value in values.items()}
    kept = [path for path in (output / "default/queue").iterdir() if path.is_file() and "orig:" not in path.name]
    for path in kept:  # what one engine found, the other starts from
        shutil.copy(path, target.corpus / f"afl-{path.name.split(',')[0].replace(':', '')}")
    crashes = [path for path in (output / "default/crashes").iterdir() if path.name.startswith("id:")]
    findings, kinds = [], set()
    for crash in sorted(crashes, key=lambda path: path.stat().st_size):  # of each kind the smallest is minimised
        printed, _, _ = target.execute([target.libfuzzer, crash])
        if (kind := re.sub(r"(?<![\w-])\d+", "#", reason(printed))) in kinds:
            continue
        kinds.add(kind)
        copy = target.findings / f"afl-{crash.name.split(',')[0].replace(':', '')}"
        shutil.copy(crash, copy)
        findings.append(minimise(target, copy))
    if target.libfuzzer.exists():  # AFL++ ends its children in ways that let them report nothing
        target.rules.unlink(missing_ok=True)
        target.execute([target.libfuzzer, "-runs=0", output / "default/queue"])
    return {"target": target.name, "engine": "AFL++", "seconds": seconds, "processor": processor,
            "executions": int(values.get("execs_done", 0)),
            "per_second": round(float(values.get("execs_per_sec", 0))), "coverage": values.get("bitmap_cvg", "?"), "features": "",
            "stability": values.get("stability", "?"), "kept": len(kept), "rules": target.rules_reached(), "findings": findings}


def show(result):
    print(f"{result['target']} ({result['engine']}, {result['seconds']} s): {result['executions']} executions, "
          f"{result['per_second']}/s, coverage {result['coverage']}, {result['kept']} new inputs kept"
          + (f", stability {result['stability']}" if "stability" in result else ""))
    if result["rules"]:
        print(f"  rejections of {len(result['rules'])} rules reached: {' '.join(result['rules'])}")
    for finding in result["findings"]:
        print(f"  FOUND: {finding['why']}\n    rule: {finding['rule']}\n    minimised: {finding['file']} ({finding['size']} bytes)\n"
              f"    reproduce: {finding['command']}")


def write_summary(results, jobs, started):
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    seconds, processor = (sum(result[key] for result in results) for key in ("seconds", "processor"))
    rules = sorted({rule for result in results for rule in result["rules"]})
    lines = [f"# Campaign of {started:%Y-%m-%d}", "",
             f"Commit {commit}; {len(results)} runs of {seconds} s together, {jobs} at a time: {processor / 3600:.2f} core-hours of processor time.", "",
             "| target | engine | s | processor s | executions | per s | coverage (edges) | features | kept | rules rejected | findings |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    for one in results:
        lines.append(f"| `{one['target']}` | {one['engine']} | {one['seconds']} | {one['processor']:.0f} | {one['executions']} | {one['per_second']} | {one['coverage']} | "
                     f"{one['features']} | {one['kept']} | {len(one['rules'])} | {len(one['findings'])} |")
    lines += ["", f"Rejections of {len(rules)} rules were reached by all targets together:", "", " ".join(f"`{rule}`" for rule in rules), ""]
    findings = [(one["target"], finding) for one in results for finding in one["findings"]]
    lines += ["## Findings", ""] + ([f"- `{name}`: {finding['why']} ({finding['size']} bytes)" for name, finding in findings] or ["None."]) + [""]
    path = ROOT / "fuzz/campaigns" / f"{started:%Y-%m-%d-%H%M}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def campaign(seconds, jobs):
    names = sorted(path.name for path in (ROOT / "build/fuzz/fuzz/seeds").iterdir())
    engines = [run_libfuzzer] + ([run_afl] if shutil.which("afl-fuzz") and (ROOT / "build/afl/fuzz" / names[0]).exists() else [])
    share = max(1, int(seconds * jobs / (len(names) * len(engines))))
    started = datetime.datetime.now(datetime.timezone.utc)
    results, writing = [], threading.Lock()
    print(f"{len(names)} targets, {len(engines)} engines, {share} s each, {jobs} at a time; the summary is written after each", flush=True)

    def run(name):
        for engine in engines:
            result = engine(Target(name), share)
            with writing:  # an end before its time loses nothing that ran
                results.append(result)
                results.sort(key=lambda one: (one["target"], one["engine"]))
                write_summary(results, jobs, started)
                show(result)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for waiting in [pool.submit(run, name) for name in names]:
            waiting.result()
    print(f"summary: {write_summary(results, jobs, started).relative_to(ROOT)}")
    return results


def main():
    words = sys.argv[1:]
    try:
        if len(words) == 3 and words[0] in ("run", "afl"):
            results = [(run_libfuzzer if words[0] == "run" else run_afl)(Target(words[1]), int(words[2]))]
            show(results[0])
        elif len(words) >= 2 and words[0] == "campaign":
            results = campaign(float(words[1]) * 3600, int(words[3]) if words[2:3] == ["--jobs"] else os.cpu_count())
        else:
            print(__doc__, file=sys.stderr)
            return 4
    except ValueError as error:
        complain(f"{error}; SECONDS and HOURS are numbers")
    return 1 if any(result["findings"] for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
