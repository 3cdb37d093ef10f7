#!/usr/bin/env python3
"""Builds the fuzz targets as OSS-Fuzz does, without containers, and checks each more strictly than its own check does.

usage: check_build.py [--out DIR]    with --out, checks what was built there before

Of every target: coverage instrumentation is there; its seed zip is found, holds at least 100 inputs and all of them run
without a crash; the dictionary is parsed; it is alive after 1,000 inputs; no string names a path of this checkout except
source files (diagnostics); it links no dynamic library beyond the base. It runs from a folder that was moved after the
build. Exit status 0: all of it holds; 1: it does not; 4: the build failed.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BASE_LIBRARIES = re.compile(r"^(linux-vdso|libc|libm|libdl|librt|libpthread|libresolv|libgcc_s|ld-linux-x86-64|/lib64/ld-linux-x86-64)\.so")
FEWEST_SEEDS = 100


def build(out):
    coverage = "-fsanitize=fuzzer-no-link -gline-tables-only -O1 -fno-omit-frame-pointer"
    sanitizer = "-fsanitize=address -fsanitize-address-use-after-scope"
    environment = dict(os.environ, CC="clang-16", CXX="clang++-16", CFLAGS=f"{coverage} {sanitizer}", CXXFLAGS=f"{coverage} {sanitizer}",
                       LIB_FUZZING_ENGINE="-fsanitize=fuzzer", OUT=str(out), WORK=str(ROOT / "build/oss-fuzz"), SANITIZER="address",
                       FUZZING_ENGINE="libfuzzer")
    pathlib.Path(environment["WORK"]).mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["bash", "-eu", str(ROOT / "fuzz/oss-fuzz/build.sh")], cwd=ROOT, env=environment)
    if done.returncode != 0:
        print("the build failed", file=sys.stderr)
        sys.exit(4)


def run(target, *arguments):
    """In the target's folder, with nothing of the build's environment."""
    done = subprocess.run([str(target), *arguments], cwd=target.parent, env={"PATH": "/usr/bin:/bin", "ASAN_OPTIONS": "symbolize=0"},
                          capture_output=True, text=True, errors="replace", timeout=300)
    return done.returncode, done.stdout + done.stderr


def problems_of(target):
    name = target.name
    found = []
    symbols = subprocess.run(["nm", str(target)], capture_output=True, text=True).stdout
    if "__sancov" not in symbols and "__start___sancov" not in symbols:
        found.append("no coverage instrumentation")
    seeds = target.with_name(f"{name}_seed_corpus.zip")
    if not seeds.exists():
        found.append(f"no {seeds.name}")
    with tempfile.TemporaryDirectory() as folder:
        count = 0
        if seeds.exists():
            with zipfile.ZipFile(seeds) as archive:
                archive.extractall(folder)
            count = sum(path.is_file() for path in pathlib.Path(folder).rglob("*"))
        if count < FEWEST_SEEDS:
            found.append(f"{count} seeds, {FEWEST_SEEDS} expected")
        status, output = run(target, "-runs=0", folder)
        if status != 0:
            found.append(f"a seed crashes: {output[-400:]}")
        edges = [int(number) for number in re.findall(r"INITED cov: (\d+)", output)]
        if not edges or edges[-1] < 50:
            found.append(f"the seeds cover {edges[-1] if edges else 'no'} edges: the code under test is not instrumented")
    status, output = run(target, "-runs=1000", "-seed=1", "-max_len=4096", f"-dict={name}.dict")
    if status != 0:
        found.append(f"not alive after 1,000 inputs: {output[-400:]}")
    entries = re.search(r"Dictionary: (\d+) entries", output)
    if not entries or int(entries.group(1)) == 0:
        found.append("the dictionary is not parsed")
    text = target.read_bytes()
    for string in set(re.findall(re.escape(str(ROOT)).encode() + rb"[ -~]*", text)):
        if not re.search(rb"(\.(cc|h|def|inc|c)|^" + re.escape(str(ROOT)).encode() + rb"(/build/[a-z-]+(/[a-z-]+)*)?/?)$", string):
            found.append(f"an absolute path: {string.decode()}")
    libraries = subprocess.run(["ldd", str(target)], capture_output=True, text=True).stdout.split("\n")
    for library in (line.split()[0] for line in libraries if line.strip()):
        if not BASE_LIBRARIES.match(library):
            found.append(f"links {library}")
    return count, found


def main():
    built = pathlib.Path(sys.argv[2]) if sys.argv[1:2] == ["--out"] and len(sys.argv) == 3 else None
    if built is None:
        built = ROOT / "build/oss-fuzz-out"
        shutil.rmtree(built, ignore_errors=True)
        built.mkdir(parents=True)
        build(built)
    wanted = sorted(path.stem for path in (ROOT / "fuzz/targets").glob("fz_*.cc"))
    failures = 0
    with tempfile.TemporaryDirectory(prefix="moved-") as folder:
        moved = pathlib.Path(folder) / "out"
        shutil.copytree(built, moved)
        for name in wanted:
            target = moved / name
            count, found = problems_of(target) if target.exists() else (0, ["was not built"])
            failures += bool(found)
            print(f"{name}: {'; '.join(found) if found else f'fine, {count} seeds'}", flush=True)
    print(f"{len(wanted) - failures} of {len(wanted)} targets are fit for OSS-Fuzz")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
