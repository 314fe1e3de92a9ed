"""The script with the real tf-phi, where `TF_PHI_UNDER_TEST` names one."""

import os
import shutil
import unittest

from world import World

BINARY = os.environ.get("TF_PHI_UNDER_TEST")
TERRAFORM = os.environ.get("TF_PHI_E2E_TERRAFORM") or shutil.which("terraform")
MAIN = 'variable "env" {}\n\nresource "terraform_data" "db" {\n  input = var.env == "prod" ? "15" : "14"\n}\n'
PHI = 'specialize "terraform_data.db" {\n  fields = ["input"]\n}\n'


@unittest.skipUnless(BINARY, "TF_PHI_UNDER_TEST names no binary")
class Real(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        (self.world.tree / "live/app/main.tf").write_text(MAIN)
        self.world.env.update(PHI_BINARY=BINARY, PHI_DIRECTORY="live", PHI_MODE="check")

    def test_check(self):
        phi = self.world.tree / "live/app/phi.hcl"
        phi.write_text(PHI)
        self.assertEqual(self.world.run().status, 1, self.world.out + self.world.err)
        self.assertEqual((self.world.outputs()["changed"], self.world.outputs()["findings"]), ("true", "1"))
        self.assertIn("::error file=live/app/main.tf,title=tf-phi%3A outdated::", self.world.out)
        # A pin without a universe, in its line.
        (self.world.tree / "live/app/main.tf").write_text(MAIN.replace('var.env == "prod" ? "15" : "14"', "var.env"))
        self.assertEqual(self.world.run().status, 1)
        self.assertIn("::error file=live/app/main.tf,line=4,title=tf-phi%3A no-universe::", self.world.out)
        phi.unlink()
        self.assertEqual(self.world.run().status, 0, self.world.out + self.world.err)

    def test_review_of_many(self):
        """Of three root modules the two that a shared module's change concerns, in two shards."""
        tree = self.world.tree
        (tree / "live/app/main.tf").unlink()
        for name in ("a", "b", "c"):
            (tree / "live" / name).mkdir()
            call = 'module "m" {\n  source = "../../shared"\n}\n' if name != "c" else "locals {}\n"
            (tree / "live" / name / "main.tf").write_text(call)
        (tree / "shared").mkdir()
        (tree / "shared/main.tf").write_text('resource "terraform_data" "x" {\n  input = 1\n}\n')
        self.world.git("add", "-A")
        self.world.git("commit", "-qm", "base")
        base = self.world.git("rev-parse", "HEAD")
        (tree / "shared/main.tf").write_text('resource "terraform_data" "x" {\n  input = 2\n}\n')
        self.world.git("commit", "-qam", "head")
        shown = []
        for shard in ("1/2", "2/2"):
            (self.world.home / "summary").write_text("")
            self.world.run(PHI_MODE="review", PHI_DIRECTORIES=".", PHI_RECURSIVE="true", PHI_BASE=base, PHI_CHANGED_SINCE="base",
                           PHI_SHARD=shard, PHI_JOBS="2", PHI_TERRAFORM="")
            self.assertEqual(self.world.status, 0, self.world.out + self.world.err)
            shown.append(self.world.file("summary"))
        # One root in a shard stands without a heading of its own, so the calls tell.
        self.assertEqual(sum(text.count("module&#46;m&#46;terraform&#95;data&#46;x&#46;input") for text in shown), 2, shown)

    @unittest.skipUnless(TERRAFORM, "there is no Terraform")
    def test_plan(self):
        (self.world.tree / "live/app/phi.hcl").write_text(PHI)
        before = self.world.git("status", "--porcelain")
        self.world.run(PHI_MODE="plan", PHI_DIRECTORY="live/app", PHI_ARGS="-var env=prod", PHI_TERRAFORM=TERRAFORM,
                       CHECKPOINT_DISABLE="1", TF_CLI_CONFIG_FILE="")
        self.assertEqual(self.world.status, 0, self.world.out + self.world.err)
        self.assertEqual((self.world.outputs()["add"], self.world.outputs()["changed"]), ("1", "true"))
        summary = self.world.file("summary")
        self.assertIn("| added | <code>terraform&#95;data&#46;db</code>, planned as <code>terraform&#95;data&#46;db&#95;v15", summary)
        self.assertIn("Plan: 1 to add, 0 to change, 0 to destroy.", summary)
        # The sources are back; what a run leaves is its history.
        self.assertEqual((self.world.tree / "live/app/main.tf").read_text(), MAIN)
        left = set(self.world.git("status", "--porcelain").splitlines()) - set(before.splitlines())
        self.assertEqual(left, {"?? live/app/.phi/", "?? live/app/phi.moved.tf"})

    def reviewed(self, **more):
        """A pull request that raises one version, reviewed."""
        app = self.world.tree / "live/app"
        (app / "phi.hcl").write_text(PHI)
        (app / "env").mkdir()
        for name in ("dev", "prod"):
            (app / "env" / (name + ".tfvars")).write_text('env = "%s"\n' % name)
        self.world.git("add", "-A")
        self.world.git("commit", "-qm", "base")
        base = self.world.git("rev-parse", "HEAD")
        (app / "main.tf").write_text(MAIN.replace('"15"', '"16"'))
        self.world.git("commit", "-qam", "head")
        env = {"PHI_MODE": "review", "PHI_DIRECTORY": "live/app", "PHI_BASE": base, **more}
        self.assertEqual(self.world.run(**env).status, 0, self.world.out + self.world.err)
        return self.world.file("summary")

    def test_review(self):
        summary = self.reviewed()
        self.assertIn("terraform&#95;data&#46;db&#46;input", summary)
        self.assertIn("| <code>prod</code> | <code>&#34;15&#34;</code> | <code>&#34;16&#34;</code> |", summary)
        self.assertNotIn("<code>dev</code>", summary, "nothing changes there")
        self.assertEqual(self.world.outputs()["changed"], "true")
        self.assertEqual(self.world.git("status", "--porcelain"), "", "the work tree is as it was")

    @unittest.skipUnless(TERRAFORM, "there is no Terraform")
    def test_review_with_plans(self):
        summary = self.reviewed(PHI_PLAN="true", PHI_TERRAFORM=TERRAFORM, CHECKPOINT_DISABLE="1", TF_CLI_CONFIG_FILE="")
        self.assertEqual(self.world.git("diff", "--name-only"), "", "no source is written")
        self.assertIn("| added | <code>terraform&#95;data&#46;db</code> | <code>input</code> |", summary)
        self.assertIn("<summary>Terraform's plan: <code>prod</code></summary>", summary)
        self.assertEqual(self.world.outputs()["add"], "1")


if __name__ == "__main__":
    unittest.main()

    @unittest.skipUnless(TERRAFORM, "there is no Terraform")
    def test_nothing_is_installed_through_a_link(self):
        """A link at every component of what Terraform writes to, in every mode: what it leads to stays as it is."""
        places = (".terraform", ".terraform/modules", ".terraform/modules/modules.json", ".terraform/modules/tf-phi.json",
                  ".terraform/providers", ".terraform/providers/registry.terraform.io", ".terraform/terraform.tfstate",
                  ".terraform/environment", ".terraform/plugins")
        modes = ({"PHI_MODE": "review"}, {"PHI_MODE": "check"}, {"PHI_MODE": "review", "PHI_PLAN": "true"}, {"PHI_MODE": "plan"})
        tree = self.world.tree
        module = self.world.home / "module"
        module.mkdir()
        (module / "main.tf").write_text("locals {}\n")
        self.world.git("init", "-q", "-b", "main", cwd=module)
        self.world.git("add", "-A", cwd=module)
        self.world.git("commit", "-qm", "module", cwd=module)
        app = tree / "live/app"
        (app / "main.tf").write_text('module "v4" {\n  source = "git::file://%s"\n}\n' % module)
        self.world.git("add", "-A")
        self.world.git("commit", "-qm", "base")
        outside = self.world.home / "actions"
        for at, place in enumerate(places):
            for mode in (modes[at % 2], modes[2 + at % 2]):
                shutil.rmtree(app / ".terraform", ignore_errors=True)
                shutil.rmtree(outside, ignore_errors=True)
                (outside / "v4").mkdir(parents=True)
                (outside / "v4/index.js").write_text("kept")
                (app / place).parent.mkdir(parents=True, exist_ok=True)
                (app / place).symlink_to(outside)
                self.world.run(PHI_DIRECTORY="live/app", PHI_TERRAFORM=TERRAFORM, PHI_BASE=self.world.git("rev-parse", "HEAD"),
                               CHECKPOINT_DISABLE="1", TF_CLI_CONFIG_FILE="", **mode)
                left = sorted(str(path.relative_to(outside)) for path in outside.rglob("*"))
                self.assertEqual(left, ["v4", "v4/index.js"], (place, mode, self.world.out, self.world.err))
                (app / place).unlink()
        # Where none stands, it is installed.
        shutil.rmtree(app / ".terraform", ignore_errors=True)
        self.world.run(PHI_DIRECTORY="live/app", PHI_MODE="review", PHI_TERRAFORM=TERRAFORM, PHI_BASE=self.world.git("rev-parse", "HEAD"),
                       CHECKPOINT_DISABLE="1", TF_CLI_CONFIG_FILE="")
        self.assertTrue((app / ".terraform/modules/v4/main.tf").is_file(), self.world.out + self.world.err)
        self.assertFalse((app / ".terraform/providers").exists())
