"""The comment: made, found again, updated, cut; and an API that refuses or fails."""

import sys
import unittest

from world import ACTION, TOKEN, Api, World

sys.path.insert(0, str(ACTION))

import comment  # noqa: E402
from runner import Fault, Runner  # noqa: E402

BOT = {"type": "Bot", "login": "github-actions[bot]"}
REVIEW = {"format_version": "1.0", "base": "b", "findings": [], "specializations": [], "environments": [
    {"name": "prod", "values": [{"field": "a.b.c", "before": {"result": "resolved", "value": 1},
                                 "after": {"result": "resolved", "value": 2}}], "instances": [], "plan": None}]}


class Comment(unittest.TestCase):
    def world(self, api, review=REVIEW, **more):
        world = World(**more)
        self.addCleanup(world.close)
        self.addCleanup(api.close)
        world.answer("review", review)
        world.env.update(GITHUB_API_URL=api.url, PHI_COMMENT="true")
        return world

    def test_made_and_updated(self):
        api = Api([{"id": 1, "body": "hello", "user": BOT}])
        world = self.world(api)
        self.assertEqual(world.run().status, 0, world.out + world.err)
        self.assertEqual(len(api.comments), 2)
        first = api.comments[1]["body"]
        self.assertRegex(first, r"^<!-- tf-phi:[0-9a-f]{16} -->\n## tf-phi review")
        # On the next page, behind comments of others that begin or are quoted alike.
        mark = first.split("\n")[0]
        api.comments[:0] = [{"id": 50 + i, "body": mark + "\nmine", "user": {"type": "User", "login": "mallory"}} for i in range(3)]
        api.comments.insert(0, {"id": 60, "body": "> " + mark, "user": BOT})
        world.answer("review", {**REVIEW, "environments": []})
        self.assertEqual(world.run().status, 0, world.out)
        self.assertEqual(len(api.comments), 6)
        self.assertIn("nothing changes", api.comments[5]["body"])
        self.assertEqual([c["body"] for c in api.comments[1:4]], [mark + "\nmine"] * 3)
        # Another job of the same workflow has a comment of its own.
        world.run(PHI_ENVIRONMENTS="prod")
        self.assertEqual(len(api.comments), 7)

    def test_a_token_of_a_person(self):
        api = Api(user={"type": "User", "login": "me"})
        world = self.world(api)
        world.run()
        mark = api.comments[0]["body"].split("\n")[0]
        api.comments[:] = [{"id": 1, "body": mark + "\nbot's", "user": BOT},
                           {"id": 2, "body": mark.replace("\n", "\r\n") + "\nmine", "user": {"type": "User", "login": "me"}}]
        world.run()
        self.assertEqual((api.comments[0]["body"], "## tf-phi" in api.comments[1]["body"]), (mark + "\nbot's", True))

    def test_too_long(self):
        row = lambda i: {"field": "module.a.b%05d.c" % i + "x" * 150, "before": {"result": "absent"}, "after": {"result": "resolved", "value": "é" * 70}}
        environments = [{"name": "env%d" % e, "values": [row(i) for i in range(150)], "instances": [], "plan": {
            "resources": [{"address": "a.b%d" % i + "y" * 200, "before": "no-op", "after": "delete", "attributes": []} for i in range(150)]}} for e in range(3)]
        api = Api()
        world = self.world(api, {**REVIEW, "environments": environments})
        self.assertEqual(world.run().status, 0, world.out + world.err)
        body = api.comments[0]["body"]
        self.assertLessEqual(len(body.encode()), comment.LIMIT)
        self.assertIn("left out here: [the whole report](https://github.example/o/r/actions/runs/42)", body)
        self.assertIn("| destroyed |", body, "what is destroyed goes before everything else")
        self.assertNotIn("#### Values", body)
        self.assertNotIn("left out", world.file("summary"))
        self.assertGreater(len(world.file("summary")), len(body))

    def test_what_goes_is_never_pushed_out(self):
        long = "é(*" * 120
        value = lambda i: {"field": "a.b%d.%s" % (i, long), "before": {"result": "resolved", "value": long},
                           "after": {"result": "resolved", "value": "x" + long}}
        row = lambda i, after: {"address": "a.n%d_%s" % (i, long), "before": not after, "after": after}
        names = ["env%d_%s" % (i, long) for i in range(60)]
        environments = [{"name": name, "values": [value(i) for i in range(40)], "plan": None, "may_go": ["a.may_" + long],
                         "instances": [row(i, True) for i in range(20)] + [row(0, False)]} for name in names]
        findings = [{"summary": "%d %s" % (i, long), "why": long, "field": long} for i in range(60)]
        api = Api()
        world = self.world(api, {**REVIEW, "findings": findings, "environments": environments})
        self.assertEqual(world.run().status, 0, world.out + world.err)
        body = api.comments[0]["body"]
        self.assertIn("**60 instances go** · **1 declaration may lose instances** · **60 findings**", body[:300])
        self.assertTrue("| goes | <code>a&#46;n0&#95;" in body)
        # What a plan destroys stands before all that another plan adds.
        resource = lambda i, after: {"address": "a.b%d_%s" % (i, long), "before": "no-op", "after": after, "attributes": [long]}
        plan = lambda *all_of: {"before": {}, "after": {}, "outputs": [], "text": "", "resources": list(all_of)}
        environments = [{"name": "one", "values": [], "instances": [], "plan": plan(*(resource(i, "create") for i in range(300)))},
                        {"name": "two", "values": [], "instances": [], "plan": plan(resource(7, "delete"))}]
        world.answer("review", {**REVIEW, "environments": environments})
        self.assertEqual(world.run().status, 0, world.out + world.err)
        self.assertTrue("| destroyed | <code>a&#46;b7&#95;" in api.comments[0]["body"])

    def test_refused(self):
        for fork, status in ((False, 1), (True, 0)):
            api = Api([{"id": 1, "body": "x", "user": BOT}], faults=[{"method": "POST", "status": 403, "times": 9}])
            world = self.world(api, fork=fork).run()
            self.assertEqual(world.status, status, world.out)
            self.assertEqual(len(api.writes()), 1, "it isn't asked again")
            self.assertIn("from a fork may only read" if fork else "pull-requests: write", world.out)
            self.assertIn("## tf-phi review", world.file("summary"))
            self.assertEqual(world.outputs()["changed"], "true")
            self.assertEqual([c["body"] for c in api.comments], ["x"])

    def test_an_update_that_is_refused(self):
        api = Api()
        world = self.world(api)
        self.assertEqual(world.run().status, 0, world.out)
        before = [dict(c) for c in api.comments]
        api.faults.append({"method": "PATCH", "status": 403, "times": 9})
        world.answer("review", {**REVIEW, "environments": []})
        self.assertEqual(world.run().status, 1, world.out)
        self.assertEqual([r[0] for r in api.writes()], ["POST", "PATCH"], "neither asked again nor made anew")
        self.assertEqual(api.comments, before)

    def test_a_server_that_fails(self):
        api = Api(faults=[{"method": "POST", "status": 502, "done": True}])
        self.assertEqual(self.world(api).run().status, 0)
        self.assertEqual([r[0] for r in api.writes()], ["POST", "PATCH"])
        self.assertEqual(len(api.comments), 1, "what was made all the same is not made twice")
        api = Api(faults=[{"method": "GET", "status": 503}, {"method": "POST", "status": 429, "headers": {"Retry-After": "1"}}])
        self.assertEqual(self.world(api).run().status, 0)
        self.assertEqual(len(api.comments), 1)

    def put(self, api, paused):
        self.addCleanup(api.close)
        runner = Runner({"GITHUB_API_URL": api.url, "GITHUB_REPOSITORY": "o/r"})
        comment.put(runner, TOKEN, 7, "k" * 16, lambda limit: "text", paused.append)

    def test_a_server_that_never_answers(self):
        api, paused = Api(faults=[{"method": "PATCH", "status": 500, "times": 99}]), []
        api.comments.append({"id": 1, "body": "<!-- tf-phi:%s -->\nold" % ("k" * 16), "user": BOT})
        with self.assertRaisesRegex(Fault, "doesn't answer: status 500, 4 times"):
            self.put(api, paused)
        self.assertEqual((paused, api.comments[0]["body"][-3:]), ([1, 2, 4], "old"))

    def test_the_token_goes_nowhere_else(self):
        other = Api()
        self.addCleanup(other.close)
        api = Api(faults=[{"method": "GET", "status": 302, "headers": {"Location": other.url + "/x"}}])
        with self.assertRaisesRegex(Fault, "status 302"):
            self.put(api, [])
        api = Api([{"id": i, "body": "", "user": BOT} for i in range(3)])
        api.url, own = other.url, api.url
        runner = Runner({"GITHUB_API_URL": own, "GITHUB_REPOSITORY": "o/r"})
        with self.assertRaisesRegex(Fault, "another host"):
            comment.put(runner, TOKEN, 7, "k", lambda limit: "text")
        self.assertEqual(other.requests, [])
        api.close()

    def test_without_what_it_needs(self):
        api = Api()
        world = self.world(api, event="push")
        world.answer("review", REVIEW)
        world.run(PHI_MODE="review", PHI_BASE="main")
        self.assertEqual((world.status, api.requests), (0, []))
        self.assertIn("::notice", world.out)
        world = self.world(Api())
        self.assertEqual(world.run(PHI_TOKEN="").status, 1)
        self.assertIn("the input token is empty", world.out)


if __name__ == "__main__":
    unittest.main()
