variable "kept" {
  default = "main"
}
variable "default" {
  default = "main"
}
variable "typed" {
  type    = string
  default = 1
}
variable "narrowed" {
  default = "1"
}
variable "set" {
  type    = list(number)
  default = [2, 1, 2]
}
variable "strict" {
  type     = string
  default  = "x"
  nullable = true
}
variable "twice" {
  default = "main"
}
variable "json" {
  type    = object({ a = number, b = optional(string, "b") })
  default = { a = 1 }
}
variable "checked" {
  type    = string
  default = "ok"
  validation {
    condition     = var.checked != "bad"
    error_message = "bad"
  }
}

locals {
  kept    = "main"
  native  = "main"
  json    = "main"
  twice   = ["main"]
  uses    = "${local.native}-${local.json[1]}"
  of_json = local.deep.a[0]
}

resource "terraform_data" "kept" {
  input = "main"
}
resource "terraform_data" "native" {
  input = "main"
  triggers_replace = [1]
}
resource "terraform_data" "json" {
  input = "main"
}
resource "terraform_data" "twice" {
  input = "main"
}
resource "terraform_data" "counted" {
  count = 1
  input = "main"
}
resource "terraform_data" "lifecycle" {
  input = "main"
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [input]
  }
}

module "kept" {
  source = "./m"
  x      = "main"
  y      = "main"
}
module "native" {
  source = "./m"
  x      = "main"
  y      = "main"
}
module "json" {
  source = "./m"
  x      = "main"
  y      = "main"
}
module "moved" {
  source = "./m"
  x      = "main"
  y      = "main"
}
module "each" {
  source   = "./m"
  for_each = { k = "v" }
  x        = each.key
  y        = each.value
}

output "native" {
  value = "main"
}
output "json" {
  value       = "main"
  description = "d"
}
output "twice" {
  value = "main"
}
output "described" {
  value = "main"
}

output "v_kept" {
  value = var.kept
}
output "v_default" {
  value = var.default
}
output "v_typed" {
  value = var.typed
}
output "v_narrowed" {
  value = var.narrowed
}
output "v_set" {
  value = var.set
}
output "v_strict" {
  value = var.strict
}
output "v_twice" {
  value = var.twice
}
output "v_json" {
  value = var.json
}
output "v_checked" {
  value = var.checked
}
output "l_kept" {
  value = local.kept
}
output "l_native" {
  value = local.native
}
output "l_json" {
  value = local.json
}
output "l_twice" {
  value = local.twice
}
output "l_uses" {
  value = local.uses
}
output "l_deep" {
  value = local.deep
}
output "l_of_json" {
  value = local.of_json
}
output "m_kept" {
  value = module.kept.all
}
output "m_native" {
  value = module.native.all
}
output "m_json" {
  value = module.json.all
}
output "m_moved" {
  value = module.moved.all
}
output "m_each" {
  value = module.each["k"].all
}
