"""The modes, what they report, and bad input."""

import base64
import html
import json
import os
import shutil
import sys
import unittest
import urllib.parse

from world import ACTION, SECRET, TOKEN, Api, World

sys.path.insert(0, str(ACTION))

from runner import Runner  # noqa: E402

HOSTILE = "| `x` <b>@user</b> [l](http://e.com) www.e.com\n::warning::x \u202e"


def cell(value):
    return {"result": "resolved", "value": value}


REVIEW = {
    "format_version": "1.0", "base": "b",
    "findings": [{"field": "a.b", "error": "Invalid index", "gate": "var.env == \"qa\"", "source_span": "main.tf:12-14",
                  "witness": {"workspace": "default", "variables": {}, "environment": "qa"},
                  "environments": ["qa"]}],
    "specializations": [{"unit": "module.db", "before": ["14.9"], "after": ["14.9", "15.4"]}],
    "environments": [
        {"name": name, "values": [{"field": "aws_x.y.size", "before": cell(1), "after": cell(HOSTILE)}],
         "instances": [{"address": "aws_x.gone", "before": True, "after": False}],
         "plan": {"before": {}, "after": {}, "text": "Terraform will\n```\nperform\n::error::x\n", "resources": [
             {"address": "aws_x.new", "before": "absent", "after": "create", "attributes": []},
             {"address": "aws_x.y", "before": "update", "after": "replace", "attributes": ["size"]},
             {"address": "aws_x.old", "before": "no-op", "after": "delete", "attributes": []}]}}
        for name in ("dev", "prod")],
}


class Case(unittest.TestCase):
    def world(self, **more):
        world = World(**more)
        self.addCleanup(world.close)
        return world

    def stops(self, world, *said):
        """It ends with an error that says this, here and in the summary, and without any other effect."""
        self.assertEqual(world.status, 1, world.out + world.err)
        for text in said:
            self.assertIn(text, world.out)
        self.assertIn("tf-phi stopped", world.file("summary"))
        self.assertEqual([w for n, w, _ in world.calls() if n == "tf-phi"], [])


class Review(Case):
    def test_the_whole_of_it(self):
        world = self.world()
        world.answer("review", REVIEW)
        world.run(PHI_ENVIRONMENTS="dev, prod", PHI_FORM_FACTOR="on-prem", PHI_ARGS="--all 'a b'")
        self.assertEqual(world.status, 0, world.out + world.err)
        self.assertEqual(world.words("tf-phi", "review"), [[
            "-chdir=live/app", "--form-factor=on-prem", "review", "--base=" + world.base, "--format=json", "--env=dev",
            "--env=prod", "--all", "a b"]])
        # Without `plan`, nothing that could run is installed.
        self.assertEqual(world.words("tf-phi", "init"), [["-chdir=live/app", "--form-factor=on-prem", "init", "--modules"]])
        self.assertEqual([words for name, words, _ in world.calls() if name == "terraform"], [])
        outputs = world.outputs()
        report = outputs.pop("report")
        self.assertEqual(outputs, {"add": "2", "change": "0", "destroy": "2", "replace": "2", "changed": "true", "findings": "1"})
        summary = world.file("summary")
        with open(report, encoding="utf-8") as file:
            self.assertEqual(file.read().strip(), summary.strip())
        order = [summary.index(t) for t in ("2 to destroy", "destroyed", "replaced (was: changed)", "| added ", "#### Findings",
                                            "#### Values", "#### Instances", "#### Specialised", "<details>")]
        self.assertEqual(order, sorted(order))
        self.assertEqual(world.orders(), [
            "::error file=live/app/main.tf,line=12,title=tf-phi%3A finding::Invalid index%0Avar.env == \"qa\"%0AEnvironments: qa"])
        # Environments in which a value changes alike share a row.
        self.assertIn("<code>dev</code>, <code>prod</code>", summary)
        self.assertIn("| <code>qa</code> |", summary)

    def test_text_of_a_tree_is_text(self):
        world = self.world()
        world.answer("review", REVIEW)
        summary = world.run().file("summary")
        for bad in ("<b>", "@user", "](http", "www.e", "\u202e", "| `x`"):
            self.assertNotIn(bad, summary)
        self.assertIn("````text\nTerraform will\n```\nperform", summary, "the fence is longer than any within")

    def test_plans(self):
        world = self.world()
        world.answer("review", REVIEW)
        self.assertEqual(world.run(PHI_PLAN="true").status, 0)
        world.answer("review", REVIEW, status=3)
        self.assertEqual(world.run(PHI_PLAN="true", PHI_FAIL_ON="finding, replace").status, 1)
        self.assertIn("The job fails, since there is what fail-on names: finding, replace.", world.out)
        self.assertIn("--fail-on=finding,replace", world.words("tf-phi", "review")[1])
        unplanned = {"name": "qa", "values": [], "instances": [], "plan": {"error": "no credentials"}}
        world.answer("review", {**REVIEW, "environments": [*REVIEW["environments"], unplanned]})
        self.assertEqual(world.run(PHI_PLAN="true").status, 1)
        self.assertIn("there is no plan of qa.", world.out)
        self.assertIn("Not done: <code>no credentials</code>", world.file("summary"))
        self.assertIn("--plan", world.words("tf-phi", "review")[0])
        self.assertEqual(world.words("tf-phi", "init")[0], ["-chdir=live/app", "init", "--ephemeral", "-input=false", "-no-color"])

    def test_each_kind_of_difference_is_a_change(self):
        planned = {"before": {}, "after": {}, "resources": [], "outputs": ["address"], "text": ""}
        for one, told in [({"may_go": ["some"]}, "May lose instances"), ({"uncompared": ["field"]}, "Not compared without a plan"),
                          ({"plan": planned}, "outputs that differ")]:
            world = self.world()
            environment = {"name": "qa", "values": [], "instances": [], "plan": None, **one}
            world.answer("review", {**REVIEW, "findings": [], "specializations": [], "environments": [environment]})
            world.run()
            self.assertEqual(world.outputs()["changed"], "true", one)
            self.assertIn(told, world.file("summary"), one)

    def test_what_cant_be_done(self):
        world = self.world()
        world.answer("review", "", status=1, err="no such thing: %s %s\n::set-output name=x::y\n" % (TOKEN, SECRET))
        world.run()
        self.assertEqual(world.status, 1)
        self.assertIn("ended with status 1", world.file("summary"))
        self.assertEqual([o for o in world.orders() if "::error" not in o], [])
        self.assertNotIn("no such thing", world.file("summary"), "what programs print stays in the log")
        # What came out all the same is shown.
        world.answer("review", REVIEW, status=1)
        self.assertEqual(world.run().status, 1)
        self.assertIn("#### Values", world.file("summary"))

    def test_no_secret_leaves(self):
        world = self.world()
        leaky = json.loads(json.dumps(REVIEW))
        leaky["environments"][0]["values"][0]["after"] = cell("%s and %s" % (TOKEN, SECRET))
        leaky["environments"][0]["plan"]["text"] = SECRET
        world.answer("review", leaky, err=TOKEN)
        self.assertEqual(world.run().status, 0)
        for secret in (TOKEN, SECRET):
            self.assertNotIn(secret, world.everything())
        for name, _, env in world.calls():
            kept = [k for k in env if k.startswith("PHI_") or k in ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")]
            self.assertEqual((kept, TOKEN in env.values()), ([], False), name)
            self.assertEqual(env["DB_PASSWORD"], SECRET, "what a provider needs is there")

    def test_which_names_are_those_of_secrets(self):
        value = "q4/not-a-word-of-anything"
        secret = ["TF_VAR_encryption_key", "TF_VAR_ssh_key", "MASTER_KEY", "TF_VAR_keys", "SIGNING_KEY_PEM", "DB_PWD", "DB_PASS", "GH_PAT",
                  "TF_VAR_passphrase", "REGISTRY_AUTH", "DOCKER_AUTH_CONFIG", "ARM_SAS", "SQL_CONNECTION_STRING", "TF_VAR_auth_token"]
        plain = ["PWD", "OLDPWD", "PATH", "GIT_AUTHOR_NAME", "TF_VAR_keyboard", "TF_VAR_pattern", "COMPASS_HOME", "XAUTHORITY"]
        for name in secret + plain:
            self.assertEqual(Runner({name: value}).without_secrets(value) == "***", name in secret, name)

    def test_no_form_of_a_secret_leaves(self):
        # With every character that some encoding writes otherwise, and on several lines.
        secret = "pa\"ss'wo\\rd<&>\t${x}%{y}%41\u00e9 |`*_\n  second line-of-it\nthird;line:of,it"
        parts = ['pa\"ss', "wo\\rd", "second line-of-it", "third;line:of,it", "third&#59;line", "third%3Bline", "wo\\\\rd"]
        encoded = [json.dumps(secret), json.dumps(secret, ensure_ascii=False), json.dumps(json.dumps(secret)), html.escape(secret),
                   urllib.parse.quote(secret, safe=""), base64.b64encode(secret.encode()).decode()]
        for text in (secret, secret.splitlines()[1].strip(), encoded[0], encoded[2], encoded[3]):
            world = self.world()
            leaky = json.loads(json.dumps(REVIEW))
            one = leaky["environments"][0]
            one["values"][0]["after"] = cell({"a": ["x " + text + " y"], text: text})
            one["values"][0]["field"] = "aws_x.y[%s]" % json.dumps(text)
            one["plan"]["text"] = "Terraform will\n  + x = %s\n" % json.dumps(text)
            one["plan"]["resources"][0]["address"] = "aws_x.y[%s]" % json.dumps(text)
            one["name"] = text
            leaky["findings"][0].update(error=text, gate="var.env == %s" % json.dumps(text), environments=[text])
            world.answer("review", leaky, err="Error: %s\n%s\n" % (text, json.dumps(text)))
            api = Api()
            self.addCleanup(api.close)
            world.run(DB_PASSWORD=secret, PHI_COMMENT="true", GITHUB_API_URL=api.url)
            self.assertEqual(world.status, 0, world.out + world.err)
            left = world.everything() + "".join(c["body"] for c in api.comments)
            for encoding in (lambda t: t, html.unescape, urllib.parse.unquote, lambda t: t.replace("\\\\", "\\").replace('\\"', '"')):
                for part in parts:
                    self.assertNotIn(part, encoding(left), text)
            for form in encoded:
                self.assertNotIn(form, left)

    def test_only_tf_phi_installs(self):
        """Whether something may be installed is for one place to say: the program. The script starts Terraform for nothing that installs."""
        for more in ({}, {"PHI_PLAN": "true"}, {"PHI_MODE": "plan"}, {"PHI_MODE": "check"}):
            world = self.world()
            world.answer("review", REVIEW)
            world.answer("check", {"directories": []})
            world.answer("show", {"resource_changes": []}, program="terraform")
            world.run(**more)
            words = [words for name, words, _ in world.calls() if name == "terraform"]
            self.assertEqual([w for w in words if "show" not in w], [], more)
            self.assertEqual(len(world.words("tf-phi", "init")), 1, more)

    def test_what_is_not_installed_is_said(self):
        for mode in ("review", "check"):
            world = self.world()
            world.answer("review", REVIEW)
            world.answer("check", {"directories": []})
            world.answer("init", status=1, err="x is a symbolic link\n::error::y")
            world.run(PHI_MODE=mode)
            self.assertEqual(world.status, 0, world.out + world.err)
            self.assertIn("modules could not be installed", world.out)
            self.assertIn("x is a symbolic link", world.out)
            self.assertFalse([o for o in world.orders() if o.startswith("::error::y")])

    def test_relative_folders_of_programs_are_passed_over(self):
        world = self.world()
        world.answer("review", REVIEW)
        for name in ("git", "terraform", "tf-phi", "python3"):
            evil = world.tree / name
            evil.write_text("#!/bin/sh\ntouch '%s/ran'\n" % world.home)
            evil.chmod(0o755)
        world.run(PATH=".::live/..:%s" % world.env["PATH"])
        self.assertEqual(world.status, 0, world.out + world.err)
        self.assertFalse((world.home / "ran").exists())
        for _, _, env in world.calls():
            self.assertTrue(all(os.path.isabs(p) for p in env["PATH"].split(":")), env["PATH"])

    def test_a_command_to_paste_is_one(self):
        world = self.world()
        name = "-a $(touch pwned)'x"
        world.answer("check", {"directories": [{"directory": name, "status": "would-change", "changes": ["main.tf"], "issues": []}]})
        world.run(PHI_MODE="check")
        self.assertIn("tf-phi check --fix './-a $(touch pwned)'\"'\"'x'", world.out)

    def test_a_shallow_clone_fetches_the_base(self):
        world = self.world()
        (world.tree / "live/app/main.tf").write_text("# two\n")
        world.git("commit", "-qam", "two")
        world.git("config", "uploadpack.allowAnySHA1InWant", "true")
        clone = world.home / "clone"
        world.git("clone", "-q", "--depth=1", "file://%s" % world.tree, str(clone))
        world.answer("review", REVIEW)
        world.run(GITHUB_WORKSPACE=str(clone))
        self.assertEqual(world.status, 0, world.out + world.err)
        self.assertIn("--base=" + world.base, world.words("tf-phi", "review")[0])
        world.git("branch", "release", world.base)
        world.run(GITHUB_WORKSPACE=str(clone), PHI_BASE="release")
        self.assertIn("--base=" + world.base, world.words("tf-phi", "review")[1])
        world.run(GITHUB_WORKSPACE=str(clone), PHI_BASE="nosuch")
        self.assertIn("The revision nosuch is not in this clone", world.out)

    def test_bases_that_cant_be(self):
        self.stops(self.world(event="push").run(PHI_MODE="review"), "There is no base to compare with")
        self.stops(self.world().run(PHI_BASE="nosuch"), "The revision nosuch", "fetch-depth: 0")
        world = self.world()
        (world.tree / ".git").rename(world.home / "gone")
        self.stops(world.run(), "is in no Git repository")

    def test_no_plan_of_a_fork_with_secrets(self):
        for more in ({"PHI_PLAN": "true"}, {"PHI_MODE": "plan"}):
            self.stops(self.world(fork=True).run(GITHUB_EVENT_NAME="pull_request_target", **more), "Use pull_request.")
        world = self.world(fork=True)
        world.answer("review", REVIEW)
        self.assertEqual(world.run(GITHUB_EVENT_NAME="pull_request_target").status, 0)

    def test_files_that_look_like_a_repository(self):
        """A directory of a pull request that holds the files of a bare repository: its configuration starts nothing."""
        world = self.world(fork=True)
        app, ran = world.tree / "live/app", world.home / "ran"
        for name, text in (
            ("HEAD", "ref: refs/heads/main\n"), ("objects/keep", ""), ("refs/keep", ""),
            ("evil.sh", "#!/bin/sh\nenv >> %s\nexit 1\n" % ran),
            ("config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tsshCommand = ./evil.sh\n"
                       "[remote \"origin\"]\n\turl = ssh://x.invalid/y\n"),
        ):
            (app / name).parent.mkdir(exist_ok=True)
            (app / name).write_text(text)
        (app / "evil.sh").chmod(0o755)
        world.git("add", "-A")
        world.git("commit", "-qm", "two")
        world.answer("review", REVIEW)
        for more in ({}, {"PHI_BASE": "nosuch"}):
            world.run(PHI_MODE="review", **more)
            self.assertFalse(ran.exists(), ran.read_text() if ran.exists() else "")

    def test_a_repository_below_the_workspace(self):
        world = self.world()
        world.answer("review", REVIEW)
        world.run(GITHUB_WORKSPACE=str(world.home), PHI_DIRECTORY="work/live/app")
        self.assertIn("::error file=live/app/main.tf,line=12", world.out)


class Plan(Case):
    CHANGES = {"resource_changes": [
        {"address": "a.b[0]", "change": {"actions": ["delete", "create"]}}, {"address": "a.c", "change": {"actions": ["update"]}},
        {"address": "a.d", "change": {"actions": ["no-op"]}}], "output_changes": {}}

    def test_on_a_push(self):
        world = self.world(event="push")
        world.answer("show", self.CHANGES, program="terraform")
        world.run(PHI_ENVIRONMENTS="dev\nprod", PHI_ARGS="-lock=false")
        self.assertEqual(world.status, 0, world.out + world.err)
        plans = world.words("tf-phi", "plan")
        self.assertEqual(plans[0][:6], ["-chdir=live/app", "plan", "--ephemeral", "--env=dev", "-input=false", "-no-color"])
        self.assertEqual((len(plans), plans[1][-1]), (2, "-lock=false"))
        self.assertEqual((world.outputs()["replace"], world.outputs()["change"]), ("2", "2"))
        self.assertEqual(list((world.home / "temp").glob("tf-phi-*/plan")), [], "no plan file stays")
        self.assertEqual([world.run(PHI_FAIL_ON=named).status for named in ("destroy", "change")], [0, 1])
        world.answer("plan", "", status=1, err="Error: x")
        self.assertEqual(world.run().status, 1)
        self.assertIn("tf-phi plan ended with status 1", world.file("summary"))

    def test_every_plan_that_is_not_empty_is_a_change(self):
        for more in (
            {"resource_changes": [{"address": "a.b", "change": {"actions": ["no-op"], "importing": {"id": "x"}}}]},
            {"resource_changes": [{"address": "a.b", "change": {"actions": ["forget"]}}]},
            {"resource_changes": [{"address": "a.b", "previous_address": "a.c", "change": {"actions": ["no-op"]}}]},
            {"output_changes": {"o": {"actions": ["update"]}}},
            {"deferred_changes": [{"reason": "unknown"}]},
            {"action_invocations": [{"address": "action.x.y"}]},
        ):
            world = self.world(event="push")
            world.answer("show", more, program="terraform")
            self.assertEqual(world.run(PHI_FAIL_ON="destroy,replace").status, 0, world.out + world.err)
            self.assertEqual(world.outputs()["changed"], "true", more)
            self.assertNotIn("nothing changes", world.file("summary"))
            self.assertEqual(world.run(PHI_FAIL_ON="change").status, 1, more)
        world = self.world(event="push")
        quiet = {"resource_changes": [{"address": "a.b", "change": {"actions": ["no-op"]}}], "output_changes": {"o": {"actions": ["no-op"]}}}
        world.answer("show", quiet, program="terraform")
        self.assertEqual((world.run(PHI_FAIL_ON="change").status, world.outputs()["changed"]), (0, "false"))

    def test_no_history_renames_what_is_planned(self):
        world = self.world(event="push")
        history = world.tree / "live/app/.phi/history.jsonl"
        history.parent.mkdir(exist_ok=True)
        lines = [{"address": "a.b", "original": "a.harmless", "keys": "gate"}]
        history.write_text("".join(json.dumps(line) + "\n" for line in lines))
        world.answer("show", self.CHANGES, program="terraform")
        world.run()
        self.assertEqual(world.status, 0, world.out + world.err)
        summary = world.file("summary")
        self.assertIn("<code>a&#46;harmless</code>, planned as <code>a&#46;b&#91;0&#93;</code>", summary)
        self.assertEqual(summary.count("planned as"), 1, "what has its own name has no other")

    def test_beside_the_wrapper_of_setup_terraform(self):
        world = self.world(event="push")
        world.program("tools/terraform")
        world.program("tools/terraform-bin")
        world.answer("show", "[command]/tools/terraform-bin show\n{}\n::debug::Terraform exited with code 0.\n", program="terraform")
        world.answer("show", self.CHANGES, program="terraform-bin")
        world.env["PATH"] = "%s:%s" % (world.home / "tools", world.env["PATH"])
        world.run()
        self.assertEqual(world.outputs()["replace"], "1", world.out + world.err)
        named = {env.get("TF_PHI_TERRAFORM") for name, _, env in world.calls() if name == "tf-phi"}
        self.assertEqual(named, {str(world.home / "tools/terraform-bin")})

    def test_without_terraform(self):
        world = self.world(event="push")
        (world.home / "bin/terraform").unlink()
        world.env["PATH"] = "%s:/usr/bin:/bin" % (world.home / "bin")
        self.stops(world.run(), "There is no Terraform. Run hashicorp/setup-terraform")
        self.stops(self.world(event="push").run(PHI_TERRAFORM="nosuch"), "The input terraform names nosuch")


class Check(Case):
    def test_findings_stand_in_their_files(self):
        issue = {"code": "no-universe", "severity": "error", "file": "main.tf", "line": 3, "field": "a.b", "summary": "can't 50%",
                 "why": "no\ndefault", "fixes": [{"title": "Give one:", "paste": "variable"}]}
        world = self.world()
        world.answer("check", {"directories": [
            {"directory": "live/app", "status": "issues", "changes": [], "issues": [issue]},
            {"directory": "live/web", "status": "would-change", "changes": ["main.tf"], "issues": []},
            {"directory": "live/ok", "status": "up-to-date", "changes": [], "issues": []}]}, status=1)
        world.run(PHI_MODE="check", PHI_DIRECTORY="live")
        self.assertEqual(world.status, 1)
        first, second = world.orders()
        self.assertEqual(first, "::error file=live/app/main.tf,line=3,title=tf-phi%3A no-universe::can't 50%25%0Ano%0Adefault%0A"
                                "Give one:%0Avariable")
        self.assertTrue(second.startswith("::error file=live/web/main.tf,title=tf-phi%3A outdated::"), second)
        world.answer("check", {"directories": [{"directory": "live", "status": "up-to-date", "changes": [], "issues": []}]})
        self.assertEqual(world.run(PHI_MODE="check", PHI_DIRECTORY="live").status, 0)
        self.assertIn("specialised and up to date", world.file("summary"))


class Input(Case):
    def test_directories(self):
        world = self.world()
        for name in ("live/web", "live/.terraform/x", "empty"):
            (world.tree / name).mkdir(parents=True)
        (world.tree / "live/web/main.tf").write_text("")
        (world.tree / "live/.terraform/x/main.tf").write_text("")
        world.answer("review", REVIEW)
        comma = world.tree / "live/a, b"
        comma.mkdir()
        (comma / "main.tf").write_text("")
        world.run(PHI_DIRECTORY="live/a, b")
        self.assertEqual([w[0] for w in world.words("tf-phi", "review")], ["-chdir=live/a, b"])
        (comma / "main.tf").unlink()
        (world.home / "answers/calls").unlink()
        world.run(PHI_DIRECTORIES="live/*\nlive/**, live/app")
        self.assertEqual([w[0] for w in world.words("tf-phi", "review")], ["-chdir=live/app", "-chdir=live/web"])
        # A folder that a change names like the whole list takes nothing's place.
        decoy = world.tree / "live/app, live/web"
        decoy.mkdir(parents=True)
        (decoy / "main.tf").write_text("")
        (world.home / "answers/calls").unlink()
        world.run(PHI_DIRECTORIES="live/app, live/web")
        self.assertEqual([w[0] for w in world.words("tf-phi", "review")], ["-chdir=live/app", "-chdir=live/web"])
        (world.home / "answers/calls").unlink()
        world.run(PHI_DIRECTORIES='"live/app, live/web", live/app')
        self.assertEqual([w[0] for w in world.words("tf-phi", "review")], ["-chdir=live/app, live/web", "-chdir=live/app"])
        (world.tree / "out").symlink_to(world.home)
        for bad, said in (("nosuch", "No directory is called 'nosuch'"), ("no*", "with Terraform sources matches 'no*'"),
                          ("../x", "not named from the repository down"), ("/etc", "not named from"), ("out", "leads out of")):
            self.stops(self.world().run(PHI_DIRECTORY=bad) if bad != "out" else self.outside(), said)

    def test_many_directories(self):
        world = self.world()
        (world.tree / "live/web").mkdir()
        (world.tree / "live/web/main.tf").write_text("")
        world.answer("review", REVIEW)
        world.answer("roots", {"format_version": "1.0", "root_modules": ["live/app", "live/web"]})
        world.run(PHI_DIRECTORY=".", PHI_DIRECTORIES="live", PHI_RECURSIVE="true", PHI_SHARD="2/8", PHI_CHANGED_SINCE="base", PHI_JOBS="2")
        self.assertEqual(world.status, 0, world.out + world.err)
        self.assertEqual(world.words("tf-phi", "roots"), [[
            "roots", "--format=json", "--recursive", "--shard=2/8", "--changed-since=" + world.base, "--base=" + world.base, "--",
            "live"]])
        self.assertEqual(sorted(w[0] for w in world.words("tf-phi", "review")), ["-chdir=live/app", "-chdir=live/web"])
        summary = world.file("summary")
        self.assertLess(summary.index("live&#47;app"), summary.index("live&#47;web"), "in order")
        self.assertEqual(world.outputs()["destroy"], "4")
        self.assertEqual(len(world.orders()), 2, "no annotation stands within what a program printed")

    def test_a_root_module_that_is_gone_is_a_finding(self):
        gone = {"directory": "live/gone", "summary": "live/gone was a root module at the base and is none any more", "why": "There is no folder."}
        for fail_on, status in (("finding", 1), ("destroy", 0)):
            world = self.world()
            world.answer("review", REVIEW)
            world.answer("roots", {"format_version": "1.0", "root_modules": ["live/app"], "gone": [gone]})
            world.run(PHI_DIRECTORY="live", PHI_RECURSIVE="true", PHI_FAIL_ON=fail_on)
            self.assertEqual(world.status, status, world.out + world.err)
            self.assertIn("is none any more", world.file("summary"))

    def committed(self, world, path, text="# two\n"):
        (world.tree / path).parent.mkdir(parents=True, exist_ok=True)
        (world.tree / path).write_text(text)
        world.git("add", "-A")
        world.git("commit", "-qm", path)

    def test_a_change_takes_no_root_out_of_its_own_review(self):
        """What a pattern named at the base is reviewed, or is a finding."""
        def hide(world):
            world.git("mv", "live/app", "live/.app")

        def link(world):
            hide(world)
            (world.tree / "live/app").symlink_to(".app")

        def move(world):
            (world.tree / "live/x").mkdir()
            world.git("mv", "live/app", "live/x/app")

        def rename(world):
            world.git("mv", "live/app/main.tf", "live/app/main.txt")

        def tofu(world):
            world.git("mv", "live/app/main.tf", "live/app/main.tofu.json")

        def lead_out(world):
            world.git("rm", "-rq", "live/app")
            (world.tree / "live/app").symlink_to(world.home)

        gone = "was named by the directories at the base"
        for change, is_gone in ((hide, True), (link, False), (move, True), (rename, True), (tofu, False), (lead_out, True)):
            for pattern in ("live/*", "live/**", "*/a*", "**"):
                world = self.world()
                self.committed(world, "live/db/main.tf")
                world.base = world.git("rev-parse", "HEAD")
                change(world)
                world.git("add", "-A")
                world.git("commit", "-qm", "head")
                world.answer("review", {**REVIEW, "findings": [], "environments": [], "specializations": []})
                if pattern == "*/a*":
                    self.committed(world, "live/a/main.tf")
                status = world.run(PHI_DIRECTORY=pattern, PHI_BASE=world.base, PHI_FAIL_ON="finding").status
                reviewed = [w[0] for w in world.words("tf-phi", "review")]
                if change is lead_out and "-chdir" not in str(reviewed):
                    self.assertIn("leads out of the repository", world.out)
                    continue
                said = (change.__name__, pattern, world.out + world.err)
                self.assertEqual((gone in world.out, status), (is_gone, int(is_gone)), said)
                self.assertEqual("-chdir=live/app" in reviewed, not is_gone, said)
                self.assertEqual(world.outputs()["changed"], "true" if is_gone else "false", said)

    def test_what_the_base_has_besides_is_not_lost(self):
        """A branch that is behind, a link that is one still, hidden directories, and a repository below the workspace."""
        world = self.world()
        world.answer("review", REVIEW)
        self.committed(world, "live/.hidden/main.tf")
        (world.tree / "live/link").symlink_to("app")
        self.committed(world, "live/app/main.tf")
        world.git("checkout", "-qb", "branch")
        self.committed(world, "live/app/main.tf", "# three\n")
        world.git("checkout", "-q", "main")
        self.committed(world, "live/new/main.tf")
        base = world.git("rev-parse", "HEAD")
        world.git("checkout", "-q", "branch")
        world.run(PHI_DIRECTORY="live/*", PHI_BASE=base, PHI_FAIL_ON="finding")
        self.assertEqual([w[0] for w in world.words("tf-phi", "review")], ["-chdir=live/app", "-chdir=live/link"], world.out)
        self.assertNotIn("at the base", world.out)
        (world.tree / "live/link").unlink()
        world.git("commit", "-qam", "no link")
        world.run(PHI_DIRECTORY="live/*", PHI_BASE=base)
        self.assertIn("live/link was named by the directories at the base", world.out)
        world.run(PHI_DIRECTORY="app*", PHI_BASE=base, GITHUB_WORKSPACE=str(world.tree / "live"))
        self.assertNotIn("at the base", world.out)

    def submodule(self, world, at="live/app"):
        """Puts a clone of another repository in the place of a directory; gives the commit that it stands at."""
        other = world.home / "other"
        if not other.exists():
            world.git("init", "-q", "-b", "main", str(other))
            (other / "main.tf").write_text("# other\n")
            world.git("add", "-A", cwd=other)
            world.git("commit", "-qm", "other", cwd=other)
            world.git("config", "uploadpack.allowAnySHA1InWant", "true", cwd=other)
        if (world.tree / at).exists():
            world.git("rm", "-rq", at)
        world.git("submodule", "--quiet", "add", "--force", "file://%s" % other, at)
        world.git("commit", "-qm", "submodule")
        return world.git("rev-parse", "HEAD", cwd=other)

    def test_a_submodule_does_not_say_what_it_is_compared_with(self):
        """The base is the repository's, whatever the submodule calls so, and what that base has of the submodule is fetched."""
        world = self.world()
        world.answer("review", REVIEW)
        first = self.submodule(world)
        inner = world.tree / "live/app"
        for more in ({}, {"PHI_BASE": "main~1"}, {"GITHUB_WORKSPACE": str(world.home), "PHI_DIRECTORY": "work/live/app"},
                     {"PHI_DIRECTORY": "live/*"}):
            world.run(**more)
            self.assertIn("--base=" + world.base, world.words("tf-phi", "review")[-1], world.out + world.err)
        world.run(PHI_RECURSIVE="true", PHI_CHANGED_SINCE="main~1")
        self.assertIn("--changed-since=" + world.base, world.words("tf-phi", "roots")[-1])
        base = world.git("rev-parse", "HEAD")
        # A later change moves it on, and has no more than its last commit.
        other = world.home / "other"
        (other / "main.tf").write_text("# two\n")
        world.git("commit", "-qam", "two", cwd=other)
        second = world.git("rev-parse", "HEAD", cwd=other)
        shutil.rmtree(inner)
        shutil.rmtree(world.tree / ".git/modules")
        world.git("clone", "-q", "--depth=1", "file://%s" % other, str(inner))
        world.git("submodule", "absorbgitdirs")
        world.git("commit", "-qam", "moved")
        self.assertEqual(world.git("ls-tree", "--object-only", "HEAD", "live/app"), second)
        world.run(PHI_BASE=base)
        self.assertIn("--base=" + base, world.words("tf-phi", "review")[-1], world.out + world.err)
        self.assertEqual(world.git("rev-parse", first + "^{commit}", cwd=inner), first)

    def test_what_a_submodule_had_at_the_base_is_not_lost(self):
        """A pattern names a directory within a submodule at the base that isn't there any more."""
        world = self.world()
        world.answer("review", REVIEW)
        self.submodule(world, "live/sub")
        (world.tree / "live/sub/more").mkdir()
        (world.tree / "live/sub/more/main.tf").write_text("")
        for tree in (world.tree / "live/sub", world.tree):
            world.git("add", "-A", cwd=tree)
            world.git("commit", "-qm", "more", cwd=tree)
        base = world.git("rev-parse", "HEAD")
        world.git("rm", "-rq", "more", cwd=world.tree / "live/sub")
        for tree in (world.tree / "live/sub", world.tree):
            world.git("commit", "-qam", "less", cwd=tree)
        world.run(PHI_DIRECTORY="live/**", PHI_BASE=base)
        self.assertIn("live/sub/more was named by the directories at the base", world.out, world.err)

    def test_no_directory_is_left(self):
        world = self.world()
        world.answer("roots", {"format_version": "1.0", "root_modules": []}, err="tf-phi: No root module is in this shard.")
        world.run(PHI_SHARD="1/2")
        self.assertEqual((world.status, world.words("tf-phi", "review")), (0, []), world.out + world.err)
        self.assertIn("nothing changes", world.file("summary"))
        self.assertEqual(world.outputs()["changed"], "false")
        world.answer("roots", "", status=1, err="no")
        self.assertEqual(world.run(PHI_RECURSIVE="true").status, 1)
        self.assertIn("tf-phi roots ended with status 1", world.out)

    def test_check_of_many_is_one_run(self):
        world = self.world()
        world.answer("check", {"directories": []})
        world.run(PHI_MODE="check", PHI_SHARD="1/2", PHI_CHANGED_SINCE="main", PHI_JOBS="3")
        self.assertEqual(world.words("tf-phi", "check"), [[
            "check", "--format=json", "--recursive", "--shard=1/2", "--changed-since=" + world.base, "--jobs=3", "--", "live/app"]])
        self.assertEqual(world.words("tf-phi", "roots"), [])

    def outside(self):
        world = self.world()
        (world.tree / "out").symlink_to(world.home)
        return world.run(PHI_DIRECTORY="out")

    def test_words_that_cant_be(self):
        for name, value, said in (
            ("MODE", "aply", "The input mode is 'aply'. It can be one of: review, plan, check."),
            ("PLAN", "yes", "The input plan is 'yes'"), ("FAIL_ON", "destroys", "The input fail-on is 'destroys'"),
            ("ENVIRONMENTS", "--x", "The input environments is '--x'"), ("BASE", "--upload-pack=x", "The input base"),
            ("SHARD", "0/2", "The input shard is '0/2'. It has to be K/N"), ("JOBS", "0", "The input jobs is '0'"),
            ("RECURSIVE", "1", "The input recursive is '1'"), ("CHANGED_SINCE", "--x", "The input changed-since is '--x'"),
            ("CHANGED_SINCE", "nosuch", "The revision nosuch is not in this clone"),
            ("ARGS", "'", "The input args can't be split"), ("BINARY", "./nosuch", "The input tf-phi names ./nosuch"),
        ):
            self.stops(self.world().run(**{"PHI_" + name: value}), said)


if __name__ == "__main__":
    unittest.main()
