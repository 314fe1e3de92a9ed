"""The measure of `scripts/peers`: whose values are those of a real Terraform."""

import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from peers_asked import ENV, PEERS, VENV
from peers_judge import Judge
from peers_values import is_same


def verdict(peer, address, path, value):
    found = peer.candidates(address, path)
    if any(is_same(value, one, peer.name == "Checkov") for one in found):
        return "right"
    return "wrong" if found and not any(map(peer.is_unknown, found)) else "unknown"


def asked_tree(tree, copy, judge, root, environments):
    """A copy with the root module and what it calls alone, so that a peer that looks for root modules finds this one."""
    shutil.copytree(tree, copy, ignore_dangling_symlinks=True, ignore=shutil.ignore_patterns(".git", ".terraform", "*.tfstate*"))
    kept = {folder.relative_to(judge.top) for folder in judge.modules}
    for path in [*copy.rglob("*.tf"), *copy.rglob("*.tf.json"), *copy.rglob("phi.hcl")]:
        if path.parent.relative_to(copy) not in kept or path.name == "phi.hcl":
            path.unlink()
    blocks = ['environment "e%d" {\n  var_files = %s\n}\n' % (at, json.dumps(files)) for at, files in enumerate(environments)]
    (copy / root / "phi.hcl").write_text("".join(blocks))
    # Files beside the root module are read where Git tracks them.
    for words in (["init", "--quiet"], ["add", "--all", "--force"]):
        subprocess.run(["git", "-c", "core.autocrlf=false", "-C", copy, *words], env=ENV, check=True, stderr=subprocess.DEVNULL)


def pairs(lines):
    """Of a line `TREE ROOT FILE,FILE FILE…` the tree, the root module, and the variable files of each environment; without files its defaults."""
    for line in lines:
        tree, root, *environments = line.split()
        yield pathlib.Path(tree).resolve(), root, [files.split(",") for files in environments] or [[]]


class Tally:
    def __init__(self):
        self.judged, self.count, self.more = 0, collections.Counter(), []
        self.seconds, self.memory = collections.Counter(), collections.Counter()

    def add(self, peers, values, place):
        self.judged += len(values)
        for peer in peers:
            self.seconds[peer.name] += peer.seconds
            self.memory[peer.name] = max(self.memory[peer.name], peer.memory)
        for (address, path), value in values.items():
            told = {peer.name: verdict(peer, address, path, value) for peer in peers}
            self.count.update(told.items())
            ours, knowing = told[peers[0].name], [name for name, what in told.items() if what == "right"]
            if ours != "right":
                cell = peers[0].cell(address, path)
                self.more.append({"place": place, "field": "%s.%s" % (address, path), "ours": ours, "tf-phi": cell, "terraform": value, "known to": knowing})
            for peer in peers[1:]:
                if told[peer.name] == "wrong":
                    said = peer.candidates(address, path)[-1]
                    self.more.append({"place": place, "field": "%s.%s" % (address, path), "wrong": peer.name, "says": said, "terraform": value})

    def say(self):
        print("| | known | right | wrong | known rightly, and not to tf-phi | processor time | peak memory |\n|---|---|---|---|---|---|---|")
        for kind in PEERS:
            name, right, wrong = kind.name, self.count[(kind.name, "right")], self.count[(kind.name, "wrong")]
            beyond = sum(name in one.get("known to", []) for one in self.more)
            row = (name, right + wrong, right, wrong, beyond, self.seconds[name], self.memory[name])
            print("| %s | %d | %d | %d | %d | %.1f s | %.0f MB |" % row)
        print("\n%d arguments that Terraform knows" % self.judged)
        reasons = collections.Counter(one["tf-phi"].get("reason", one["tf-phi"]["result"]) for one in self.more if one.get("ours") == "unknown")
        for reason, count in reasons.most_common():
            print("%d of them tf-phi doesn't tell: %s" % (count, reason), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=pathlib.Path, help="where every argument that somebody doesn't know rightly is written")
    parser.add_argument("list", nargs="?", type=argparse.FileType(), default=sys.stdin)
    given = parser.parse_args()
    tally, judged = Tally(), 0
    for tree, root, environments in pairs(line for line in given.list if line.strip()):
        with tempfile.TemporaryDirectory() as folder:
            copies = pathlib.Path(folder).resolve()
            judge = Judge(tree, copies / "judge", root)
            asked_tree(tree, copies / "asked", judge, root, environments)
            for at, files in enumerate(environments):
                began, values = time.monotonic(), judge.values(files)
                if not values:
                    print("%s %s: nothing to judge" % (root, ",".join(files)), file=sys.stderr, flush=True)
                    continue
                place = "%s %s %s" % (tree.name, root, ",".join(files))
                tally.add([kind(copies / "asked", root, at, files, VENV) for kind in PEERS], values, place)
                judged += 1
                print("%s: %d arguments, %.0f s" % (place, len(values), time.monotonic() - began), file=sys.stderr, flush=True)
    print("%d pairs of a root module and an environment\n" % judged)
    tally.say()
    if given.keep:
        given.keep.write_text("".join(json.dumps(one) + "\n" for one in tally.more))


if __name__ == "__main__":
    main()
