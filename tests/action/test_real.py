"""The script with the real tf-phi, where `TF_PHI_UNDER_TEST` names one."""

import os
import unittest

from world import World

BINARY = os.environ.get("TF_PHI_UNDER_TEST")
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


if __name__ == "__main__":
    unittest.main()
