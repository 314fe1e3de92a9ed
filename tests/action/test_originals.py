"""Addresses of copies, and how much is looked at for them."""

import json
import sys
import unittest

from world import ACTION

sys.path.insert(0, str(ACTION))

import originals  # noqa: E402


class Counted:
    """A pattern that counts the characters that it looks at."""

    def __init__(self, pattern):
        self.pattern, self.looked = pattern, 0

    def _found(self, found, text, at):
        self.looked += (found.end() if found else len(text)) - at + 1
        return found

    def search(self, text, at=0):
        return self._found(self.pattern.search(text, at), text, at)

    def match(self, text, at=0):
        # What doesn't begin like a key isn't looked at further.
        return self._found(self.pattern.match(text, at), text, at) if text[at:at + 1] == "[" else None


class Steps(unittest.TestCase):
    def test_what_a_step_is(self):
        for address, steps in (
            ('module.x["a.b"].aws_x.y[0]', [["module", ""], ["x", '["a.b"]'], ["aws_x", ""], ["y", "[0]"]]),
            ('a.b["x\\"].y"]', [["a", ""], ["b", '["x\\"].y"]']]),
            ("a..b", [["a..b", ""]]),
            ('a.b["x', [['a.b["x', ""]]),
            ("a.b[0]x", [["a.b[0]x", ""]]),
        ):
            self.assertEqual(originals.steps(address), steps, address)

    def test_each_character_is_looked_at_once(self):
        kinds = ("a", "a.", "[", '["', 'a["b"]', 'a["b"].', '"', "\\", 'a["\\', "[0]", "0.")
        saved = originals.END, originals.KEY
        self.addCleanup(lambda: setattr(originals, "END", saved[0]) or setattr(originals, "KEY", saved[1]))
        for kind in kinds:
            looked = []
            for times in (1, 2, 4):
                originals.END, originals.KEY = Counted(saved[0]), Counted(saved[1])
                originals.steps(kind * 5000 * times)
                looked.append(originals.END.looked + originals.KEY.looked)
            for less, more in zip(looked, looked[1:]):
                self.assertLessEqual(more, 2 * less + 16, "%r: %r" % (kind, looked))

    def test_the_way_back(self):
        line = lambda a, o, k: json.dumps({"address": a, "original": o, "keys": k})
        known = originals.Originals([line("module.db_v1", "module.db", "gate"), line("module.db.aws_x.y_a", "module.db.aws_x.y", "gate")])
        self.assertEqual(known.original("module.db_v1[0].aws_x.y_a[0]"), "module.db.aws_x.y")
        self.assertEqual(known.original("module.other[0].aws_x.y"), "module.other[0].aws_x.y")
        self.assertEqual(known.original("a..b"), "a..b")


if __name__ == "__main__":
    unittest.main()
