"""What a real Terraform makes of the arguments of a tree that hang on variables and locals alone.

It plans a copy in which every resource is a `terraform_data`, so that no provider is needed. What is a provider's to say (other resources, data
sources, modules that aren't in the tree) stands there as a value that no plan knows.
"""

import json
import os
import re
import shutil
import subprocess

from peers_hcl import fields, items
from peers_values import has_part

TERRAFORM = os.environ.get("TF_PHI_TERRAFORM", "terraform")
ENV = {k: v for k, v in os.environ.items() if not k.startswith("TF_")} | {"CHECKPOINT_DISABLE": "1"}
# Of any type, and known to no plan.
UNKNOWN = "jsondecode(timestamp())"
ROUNDS = 40


class Module:
    """A folder of the copy: what of it is kept, and what has turned out to be nothing that Terraform evaluates here."""

    def __init__(self, folder, is_root):
        self.folder, self.is_root, self.dropped, self.lines = folder, is_root, set(), []
        self.blocks = [block for path in sorted(folder.glob("*.tf")) for block in items(path.read_text(errors="replace"))]
        self.blocks = [block for block in self.blocks if len(block) == 3]
        for path in [*folder.glob("*.tf"), *folder.glob("*.tf.json")]:
            path.unlink()

    def calls(self):
        """Calls of modules in folders; others are what nobody has fetched."""
        for kind, labels, body in self.blocks:
            source = dict(item for item in body if len(item) == 2).get("source", "").strip().strip('"')
            if kind == "module" and source.startswith("."):
                yield labels[0], (self.folder / source).resolve()

    def expression(self, text):
        names = ["data.%s.%s" % tuple(labels) for kind, labels, _ in self.blocks if kind in ("data", "ephemeral") and len(labels) == 2]
        names += ["%s.%s" % tuple(labels) for kind, labels, _ in self.blocks if kind == "resource"]
        here = {name for name, _ in self.calls() if "module." + name not in self.dropped}
        names += ["module." + labels[0] for kind, labels, _ in self.blocks if kind == "module" and labels[0] not in here]
        names += [key for key in self.dropped if key.startswith("var.")]
        if not names:
            return text
        return re.sub(r"(?<![\w.-])(?:%s)(?![\w-])" % "|".join(map(re.escape, names)), UNKNOWN, text)

    def put(self, key, text):
        self.lines += [(key, line) for line in text.rstrip("\n").split("\n")]

    def put_value(self, key, name, text):
        self.put(key, "%s = %s" % (name, UNKNOWN if key in self.dropped else self.expression(text)))

    def write(self):
        self.lines = []
        for kind, labels, body in self.blocks:
            plain = dict(item for item in body if len(item) == 2)
            if kind == "variable" and "var." + labels[0] not in self.dropped:
                kept = "".join("%s = %s" % item for item in plain.items() if item[0] in ("type", "default", "nullable", "sensitive"))
                self.put("var." + labels[0], 'variable "%s" {\n%s}' % (labels[0], kept))
            elif kind == "locals":
                for name, text in plain.items():
                    self.put("", "locals {")
                    self.put_value("local." + name, name, text)
                    self.put("", "}")
            elif kind == "output" and "value" in plain and not self.is_root:
                self.put("", 'output "%s" {\nsensitive = %s' % (labels[0], plain.get("sensitive", "false")))
                self.put_value("output." + labels[0], "value", plain["value"])
                self.put("", "}")
            elif kind == "module" and labels[0] in dict(self.calls()) and "module." + labels[0] not in self.dropped:
                self.put_block("module." + labels[0], 'module "%s" {\nsource = %s' % (labels[0], plain["source"]), body, False)
            elif kind == "resource" and "%s.%s" % tuple(labels) not in self.dropped:
                self.put_block("%s.%s" % tuple(labels), 'resource "terraform_data" "%s___%s" {' % tuple(labels), body, True)
        (self.folder / "judge.tf").write_text("".join(line + "\n" for _, line in self.lines))

    def put_block(self, key, head, body, is_resource):
        self.put(key, head)
        for name in ("count", "for_each"):
            for item in body:
                if item[0] == name:
                    self.put(key, "%s = %s" % (name, self.expression(item[1])))
        if is_resource:
            self.put(key, "input = {")
        for path, text in fields(body, is_call=not is_resource):
            self.put_value("%s/%s" % (key, path), '"%s"' % path if is_resource else path, text)
        self.put(key, "}\n}" if is_resource else "}")


class Judge:
    """A copy of the tree, rewritten from its root module downwards."""

    def __init__(self, tree, copy, root):
        shutil.copytree(tree, copy, ignore_dangling_symlinks=True, ignore=shutil.ignore_patterns(".git", ".terraform*", "*.tfstate*"))
        self.top = copy.resolve()
        self.root, self.modules, self.broken, left = (copy / root).resolve(), {}, False, [(copy / root).resolve()]
        for path in copy.rglob("terraform.tfvars.json"):
            path.unlink()
        while left:
            folder = left.pop()
            if folder not in self.modules and folder.is_dir() and copy.resolve() in (folder, *folder.parents):
                # It fails with 2 at what it can't parse, and with 3 at what is laid out otherwise.
                self.broken |= self.run("fmt", "-check", "-write=false", "-list=false", str(folder)).returncode == 2
                self.modules[folder] = Module(folder, folder == self.root)
                left += [to for _, to in self.modules[folder].calls()]

    def run(self, *words):
        return subprocess.run([TERRAFORM, *words], cwd=self.root, env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def values(self, files):
        """Every known argument: (address of the instance, path) to its value; none where Terraform stops at something that can't be left out."""
        if self.broken:
            return {}
        for _ in range(ROUNDS):
            for module in self.modules.values():
                module.write()
            done = self.run("init", "-backend=false", "-input=false", "-json")
            if done.returncode == 0:
                done = self.run("plan", "-input=false", "-json", "-out=judge.plan", *("-var-file=" + name for name in files))
            if done.returncode == 0:
                return dict(known(json.loads(self.run("show", "-json", "judge.plan").stdout)))
            if not self.drop_errors(done.stdout):
                print("the judge stops at %s: %s" % (self.root, (done.stdout + done.stderr)[-1500:]), flush=True)
                return {}
        return {}

    def drop_errors(self, text):
        """Take out what Terraform says is wrong; whether anything was new."""
        new = False
        for line in text.splitlines():
            told = json.loads(line).get("diagnostic", {}) if line.startswith("{") else {}
            place = told.get("range")
            if told.get("severity") != "error" or not place:
                continue
            module = self.modules.get((self.root / place["filename"]).resolve().parent)
            key = module.lines[place["start"]["line"] - 1][0] if module and place["filename"].endswith("judge.tf") else ""
            if key and key not in module.dropped:
                module.dropped.add(key)
                new = True
        return new


def known(plan):
    for change in plan.get("resource_changes", []):
        address = re.sub(r"terraform_data\.([\w-]+?)___", r"\1.", change["address"])
        unknown = change["change"].get("after_unknown", {}).get("input", {})
        for path, value in ((change["change"].get("after") or {}).get("input") or {}).items():
            if value is not None and not has_part(unknown if unknown is True else unknown.get(path), lambda part: part is True):
                yield (address, path), value
