# Values that are no primitives: a gate compares with a literal of the variable's own type.
variable "zones" {
  type = list(string)

  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode(["a"]), jsonencode(["a", "b"]), jsonencode([])], jsonencode(var.zones))
    error_message = "zones must be one of [\"a\"], [\"a\", \"b\"], []: only these are specialised. Add others to its universe in phi.hcl."
  }
}

variable "names" {
  type = set(string)

  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode(["a"]), jsonencode(["a", "b"])], jsonencode(var.names))
    error_message = "names must be one of [\"a\"], [\"a\", \"b\"]: only these are specialised. Add others to its universe in phi.hcl."
  }
}

variable "sizes" {
  type = map(number)

  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode({ s = 1 }), jsonencode({ s = 2, t = 1 }), jsonencode({})], jsonencode(var.sizes))
    error_message = "sizes must be one of { s = 1 }, { s = 2, t = 1 }, {}: only these are specialised. Add others to its universe in phi.hcl."
  }
}

variable "db" {
  type = object({ size = number, kind = optional(string), tags = optional(map(string), {}) })

  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode({ kind = null, size = 1, tags = {} }), jsonencode({ kind = "big", size = 2, tags = { a = "x" } })], jsonencode(var.db))
    error_message = "db must be one of { kind = null, size = 1, tags = {} }, { kind = \"big\", size = 2, tags = { a = \"x\" } }: only these are specialised. Add others to its universe in phi.hcl."
  }
}

variable "pair" {
  type = tuple([string, bool])

  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode(["a", true]), jsonencode(["b", false])], jsonencode(var.pair))
    error_message = "pair must be one of [\"a\", true], [\"b\", false]: only these are specialised. Add others to its universe in phi.hcl."
  }
}

variable "any" {
  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode(["a"]), jsonencode({ a = "b" }), jsonencode("c")], jsonencode(var.any))
    error_message = "any must be one of [\"a\"], { a = \"b\" }, \"c\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.zones) — gate: Eq(var.zones, ["a"]) — trace: main.tf:24-26 — compiler: tf-phi golden
resource "terraform_data" "zones_a" {
  count = var.zones == tolist(["a"]) ? 1 : 0
  input = tolist(["a"])
}

# phi: input (terraform_data.zones) — gate: Eq(var.zones, ["a", "b"]) — trace: main.tf:24-26 — compiler: tf-phi golden
resource "terraform_data" "zones_a_b" {
  count = var.zones == tolist(["a", "b"]) ? 1 : 0
  input = tolist(["a", "b"])
}

# phi: input (terraform_data.zones) — gate: Eq(var.zones, []) — trace: main.tf:24-26 — compiler: tf-phi golden
resource "terraform_data" "zones_input_empty" {
  count = var.zones == (false ? tolist([""]) : []) ? 1 : 0
  input = false ? tolist([""]) : []
}

# phi: input (terraform_data.names) — gate: Eq(var.names, ["a"]) — trace: main.tf:28-30 — compiler: tf-phi golden
resource "terraform_data" "names_a" {
  count = var.names == toset(["a"]) ? 1 : 0
  input = toset(["a"])
}

# phi: input (terraform_data.names) — gate: Eq(var.names, ["a", "b"]) — trace: main.tf:28-30 — compiler: tf-phi golden
resource "terraform_data" "names_a_b" {
  count = var.names == toset(["a", "b"]) ? 1 : 0
  input = toset(["a", "b"])
}

# phi: input (terraform_data.sizes) — gate: Eq(var.sizes, { s = 1 }) — trace: main.tf:32-34 — compiler: tf-phi golden
resource "terraform_data" "sizes_s_v1" {
  count = var.sizes == tomap({ s = 1 }) ? 1 : 0
  input = tomap({ s = 1 })
}

# phi: input (terraform_data.sizes) — gate: Eq(var.sizes, { s = 2, t = 1 }) — trace: main.tf:32-34 — compiler: tf-phi golden
resource "terraform_data" "sizes_s_v2_t_v1" {
  count = var.sizes == tomap({ s = 2, t = 1 }) ? 1 : 0
  input = tomap({ s = 2, t = 1 })
}

# phi: input (terraform_data.sizes) — gate: Eq(var.sizes, {}) — trace: main.tf:32-34 — compiler: tf-phi golden
resource "terraform_data" "sizes_input_empty" {
  count = var.sizes == (false ? tomap({ a = 0 }) : {}) ? 1 : 0
  input = false ? tomap({ a = 0 }) : {}
}

# phi: input (terraform_data.db) — gate: Eq(var.db, { kind = null, size = 1, tags = {} }) — trace: main.tf:36-38 — compiler: tf-phi golden
resource "terraform_data" "db_kind_null_size_v1_2ff5ff" {
  count = var.db == { kind = tostring(null), size = 1, tags = false ? tomap({ a = "" }) : {} } ? 1 : 0
  input = { kind = tostring(null), size = 1, tags = false ? tomap({ a = "" }) : {} }
}

# phi: input (terraform_data.db) — gate: Eq(var.db, { kind = "big", size = 2, tags = { a = "x" } }) — trace: main.tf:36-38 — compiler: tf-phi golden
resource "terraform_data" "db_kind_big_size_v2_ba74bb" {
  count = var.db == { kind = "big", size = 2, tags = tomap({ a = "x" }) } ? 1 : 0
  input = { kind = "big", size = 2, tags = tomap({ a = "x" }) }
}

# phi: input (terraform_data.pair) — gate: Eq(var.pair, ["a", true]) — trace: main.tf:40-42 — compiler: tf-phi golden
resource "terraform_data" "pair_a_true" {
  count = var.pair == ["a", true] ? 1 : 0
  input = ["a", true]
}

# phi: input (terraform_data.pair) — gate: Eq(var.pair, ["b", false]) — trace: main.tf:40-42 — compiler: tf-phi golden
resource "terraform_data" "pair_b_false" {
  count = var.pair == ["b", false] ? 1 : 0
  input = ["b", false]
}

# phi: input (terraform_data.any) — gate: Eq(var.any, ["a"]) — trace: main.tf:44-46 — compiler: tf-phi golden
resource "terraform_data" "any_a" {
  count = var.any == ["a"] ? 1 : 0
  input = ["a"]
}

# phi: input (terraform_data.any) — gate: Eq(var.any, { a = "b" }) — trace: main.tf:44-46 — compiler: tf-phi golden
resource "terraform_data" "any_a_b" {
  count = var.any == { a = "b" } ? 1 : 0
  input = { a = "b" }
}

# phi: input (terraform_data.any) — gate: Eq(var.any, "c") — trace: main.tf:44-46 — compiler: tf-phi golden
resource "terraform_data" "any_c" {
  count = var.any == "c" ? 1 : 0
  input = "c"
}

# Two of the values in one branch.
# phi: input (terraform_data.first) — gate: Eq(try(var.zones[0], "none"), "a") — trace: main.tf:49-51 — compiler: tf-phi golden
resource "terraform_data" "first_a" {
  count = try(var.zones[0], "none") == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.first) — gate: Eq(try(var.zones[0], "none"), "none") — trace: main.tf:49-51 — compiler: tf-phi golden
resource "terraform_data" "first_none" {
  count = try(var.zones[0], "none") == "none" ? 1 : 0
  input = "none"
}
