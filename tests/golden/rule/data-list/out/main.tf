data "external" "zones" {
  program = ["zones"]

  lifecycle {
    # phi: the values that are specialised
    postcondition {
      condition     = self.names == tolist(["a", "b", "c"]) || self.names == tolist(["d", "e", "f", "g"])
      error_message = "data.external.zones.names must be one of [\"a\", \"b\", \"c\"], [\"d\", \"e\", \"f\", \"g\"]: only these are specialised. Add others to its universe in phi.hcl."
    }
  }
}

locals {
  zones = slice(data.external.zones.names, 0, 3)
}

# phi: input (terraform_data.first) — gate: Eq(data.external.zones.names, ["a", "b", "c"]) — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "first_a_db" {
  count = data.external.zones.names == tolist(["a", "b", "c"]) ? 1 : 0
  input = "a-db"
}

# phi: input (terraform_data.first) — gate: Eq(data.external.zones.names, ["d", "e", "f", "g"]) — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "first_d_db" {
  count = data.external.zones.names == tolist(["d", "e", "f", "g"]) ? 1 : 0
  input = "d-db"
}

# phi: input (terraform_data.count) — gate: Existing(true) — trace: main.tf:13-15 — compiler: tf-phi golden
resource "terraform_data" "count" {
  input = 3
}
