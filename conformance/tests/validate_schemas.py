#!/usr/bin/env python3
"""Validates every data file of conformance/ and corpus/ against its JSON Schema.

usage: validate_schemas.py ROOT                 all files of the checkout at ROOT but the vectors
       validate_schemas.py ROOT vectors         the vectors, which take a while
       validate_schemas.py ROOT KIND FILE ...   these files against KIND.schema.json

One line a mistake: file: path: message. Keys that stand twice in one object are mistakes too.
"""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is missing: apt-get install python3-jsonschema (or pip install jsonschema)", file=sys.stderr)
    sys.exit(1)

KINDS = {
    "rules": "conformance/rules/*.json",
    "readings": "conformance/readings.json",
    "bases": "conformance/bases/*.json",
    "cases": "conformance/cases/*.json",
    "interactions": "conformance/interactions.json",
    "adjudications": "conformance/adjudications.json",
    "vectors": "corpus/vectors/*.json",
}


def refuse_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("key stands twice: " + next(key for key in keys if keys.count(key) > 1))
    return dict(pairs)


def load(path: pathlib.Path):
    with path.open(encoding="utf-8") as text:
        return json.load(text, object_pairs_hook=refuse_duplicates)


def validators(schemas: pathlib.Path) -> dict:
    """One validator a kind, with common.schema.json bundled in: every version of the package resolves local references."""
    common = (schemas / "common.schema.json").read_text(encoding="utf-8").replace('"#/$defs/', '"#/$defs/common/$defs/')
    made = {}
    for kind in KINDS:
        text = (schemas / f"{kind}.schema.json").read_text(encoding="utf-8")
        schema = json.loads(text.replace('"common.schema.json#/', '"#/$defs/common/'))
        shared = json.loads(common)
        del shared["$id"], shared["$schema"]
        schema.setdefault("$defs", {})["common"] = shared
        jsonschema.Draft202012Validator.check_schema(schema)
        made[kind] = jsonschema.Draft202012Validator(schema)
    return made


def name_of(document, path) -> str:
    """The place of a mistake; an entry is named by its id or name, since nobody counts array elements."""
    parts = []
    for step in path:
        document = document[step]
        label = document.get("id") or document.get("name") if isinstance(document, dict) else None
        parts.append(str(label if isinstance(step, int) and label else step))
    return "/".join(parts) or "(root)"


def mistakes(validator, path: pathlib.Path):
    try:
        document = load(path)
    except ValueError as error:
        yield "(root)", str(error)
        return
    for error in validator.iter_errors(document):
        # Of alternatives that all failed, the deepest failure is the one that the author meant.
        closest = jsonschema.exceptions.best_match([error]) or error
        yield name_of(document, closest.absolute_path), closest.message[:300]


def main() -> int:
    if len(sys.argv) < 2 or (len(sys.argv) > 2 and sys.argv[2] not in KINDS):
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(sys.argv[1])
    kinds = validators(root / "conformance" / "schemas")
    if len(sys.argv) > 3:
        work = [(sys.argv[2], pathlib.Path(name)) for name in sys.argv[3:]]
    else:
        wanted = sys.argv[2:] or [kind for kind in KINDS if kind != "vectors"]
        work = [(kind, path) for kind in wanted for path in sorted(root.glob(KINDS[kind]))]
    wrong = 0
    for kind, path in work:
        for place, message in mistakes(kinds[kind], path):
            print(f"{path}: {place}: {message}", file=sys.stderr)
            wrong += 1
    print(f"{len(work)} files, {wrong} mistakes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
