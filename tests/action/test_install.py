"""Where the binary comes from, and what of values the runner's files take."""

import functools
import hashlib
import http.server
import io
import json
import sys
import tarfile
import threading
import unittest

from world import ACTION, ROOT, World

sys.path.insert(0, str(ACTION))

import install  # noqa: E402
from originals import Originals  # noqa: E402
from runner import Runner  # noqa: E402

VERSION = install.own_version(Runner({"GITHUB_ACTION_PATH": str(ROOT)}))


class Install(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.world.env.update(PHI_BINARY="", PHI_ACTION_REPOSITORY="o/tf-phi")
        self.served = self.world.home / "served"
        quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=str(self.served)))
        self.addCleanup(lambda: (server.shutdown(), server.server_close()))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.world.env["GITHUB_SERVER_URL"] = "http://127.0.0.1:%d" % server.server_port

    def release(self, version, content=b"#!/bin/sh\nexit 0\n", digest=None):
        folder = self.served / "o/tf-phi/releases/download" / ("v" + version)
        folder.mkdir(parents=True)
        name = "tf-phi-%s-%s.tar.gz" % (version, install.target())
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as tar:
            for path in ("../../escaped", "x/tf-phi"):
                member = tarfile.TarInfo(path)
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
        (folder / name).write_bytes(packed.getvalue())
        digest = digest or hashlib.sha256(packed.getvalue()).hexdigest()
        (folder / "SHA256SUMS").write_text("%s  other\n%s  %s\n" % ("0" * 64, digest, name))
        return digest

    def test_a_release(self):
        digest = self.release("9.1.0")
        for asked in ("9.1.0", "v9.1.0", "9.1.0@sha256:" + digest):
            self.world.run("prepare", PHI_VERSION=asked)
            outputs = self.world.outputs()
            self.assertEqual((self.world.status, outputs.get("build")), (0, "false"), self.world.out)
            with open(outputs["binary"], "rb") as file:
                self.assertTrue(file.read().startswith(b"#!/bin/sh"))
        self.assertEqual(sorted(p.name for p in self.world.home.rglob("escaped")), [])

    def test_another_checksum(self):
        self.release("9.1.0", digest="1" * 64)
        self.world.run("prepare", PHI_VERSION="9.1.0")
        self.assertEqual(self.world.status, 1)
        self.assertIn("The checksum of tf-phi-9.1.0", self.world.out)
        self.release("9.2.0")
        self.assertEqual(self.world.run("prepare", PHI_VERSION="9.2.0@sha256:" + "2" * 64).status, 1)
        self.assertFalse((self.world.home / "temp/tf-phi/bin/tf-phi").exists())

    def test_what_is_not_released_is_built(self):
        for asked in ("", VERSION):
            self.world.run("prepare", PHI_VERSION=asked)
            outputs = self.world.outputs()
            self.assertEqual((self.world.status, outputs["build"]), (0, "true"), self.world.out)
            self.assertRegex(outputs["key"], r"^tf-phi-\w+-\w+-[0-9a-f]{32}$")
        self.assertEqual(self.world.run("prepare", PHI_VERSION="9.9.9").status, 1)
        self.assertIn("There is no release 9.9.9", self.world.out)
        self.assertEqual(self.world.run("prepare", PHI_VERSION="../../x").status, 1)

    def test_a_build(self):
        # A stand-in for cargo that puts a binary where it is told.
        cargo = self.world.home / "bin/cargo"
        cargo.write_text("#!/bin/sh\nwhile [ \"$1\" != --root ]; do shift; done\nmkdir -p \"$2/bin\"\ncp '%s' \"$2/bin/tf-phi\"\n"
                         % (self.world.home / "bin/tf-phi"))
        cargo.chmod(0o755)
        self.world.answer("check", {"directories": []})
        self.world.run(PHI_MODE="check")
        self.assertEqual(self.world.status, 0, self.world.out + self.world.err)
        cargo.write_text("#!/bin/sh\nexit 1\n")
        self.world.run(PHI_MODE="check")
        self.assertEqual(self.world.status, 0, "what is built, or comes from the cache, is not built again")


class Values(unittest.TestCase):
    def test_no_value_ends_before_its_delimiter(self):
        value = "a\nend-\nb<<c\nEOF\n::error::x"
        first, second = (Runner.assigned("x", value) for _ in range(2))
        end = first.split("\n")[0].split("<<")[1]
        self.assertRegex(end, r"^end-[0-9a-f]{32}$")
        self.assertNotIn(end, second)
        self.assertEqual(first, "x<<%s\n%s\n%s\n" % (end, value, end))

    def test_addresses_of_the_original(self):
        line = lambda address, original, keys: json.dumps({"address": address, "original": original, "keys": keys})
        known = Originals([
            line("module.db_x", "module.db", "gate"), line("module.db.t.n_a", "module.db.t.n", "gate"),
            line("module.many_x", "module.many", "own"), line("t.both", "t.a", "gate"), line("t.both", "t.b", "gate"), "no json",
            '{"address": 1}'])
        for copy, original in (
            ("module.db_x[0].t.n_a[0]", "module.db.t.n"), ('module.many_x["a.b\\"]"].t.n[1]', 'module.many["a.b\\"]"].t.n[1]'),
            ("t.both[0]", "t.both[0]"), ("module.db_xy[0].t.n", "module.db_xy[0].t.n"), ("data.x.y", "data.x.y"),
        ):
            self.assertEqual(known.original(copy), original)


if __name__ == "__main__":
    unittest.main()
