#!/usr/bin/env python3
"""harness/adapters/second_opinions.py against readers that are wrong on purpose.

usage: second_opinions_test.py SCRIPT CONFORM LIBRARY       (the reference behind the C door, which heeds HURRAY_WAIVE)
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT, CONFORM, LIBRARY = sys.argv[1:4]
SETTLED = {"reader": "waived", "rule": "CMP-OP-01", "kind": "false-accept", "right": "reference",
           "sentence": "layouts/composite.md#head-descriptor", "why": "planted by this test"}


def opinions(ledger, waived="CMP-OP-01"):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "ledger.json"
        path.write_text(json.dumps(ledger), encoding="utf-8")
        done = subprocess.run([sys.executable, SCRIPT, "20", "--ledger", path, "--output", folder, "--reader", f"waived=--library {LIBRARY}"],
                              env=dict(os.environ, HURRAY_WAIVE=waived, HURRAY_CONFORM=CONFORM), capture_output=True, text=True)
        summary = pathlib.Path(folder) / "second-opinions.json"
        return done.returncode, done.stdout + done.stderr, json.loads(summary.read_text(encoding="utf-8")) if summary.exists() else {}


class SecondOpinions(unittest.TestCase):
    def test_a_disagreement_that_nobody_has_looked_at_fails(self):
        status, text, summary = opinions([])
        self.assertEqual(status, 1, text)
        self.assertIn("open: waived: false-accept CMP-OP-01", text)
        self.assertGreater(summary["open"], 0)

    def test_what_is_adjudicated_passes(self):
        # A rule that restates the waived one is another disagreement.
        _, text, _ = opinions([])
        rules = {line.split()[3].rstrip(",") for line in text.splitlines() if line.startswith("open: ")}
        status, text, summary = opinions([dict(SETTLED, rule=rule) for rule in sorted(rules)])
        self.assertEqual((status, summary["open"], summary["stale"]), (0, 0, 0), text)

    def test_an_adjudication_that_nothing_needs_fails(self):
        status, text, summary = opinions([SETTLED], waived="")
        self.assertEqual(status, 1, text)
        self.assertIn("stale: waived: false-accept CMP-OP-01", text)
        self.assertEqual(summary["stale"], 1)

    def test_an_adjudication_without_a_sentence_is_refused(self):
        status, text, _ = opinions([{key: value for key, value in SETTLED.items() if key != "sentence"}])
        self.assertEqual(status, 4, text)
        self.assertIn("neither which sentence decides", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
