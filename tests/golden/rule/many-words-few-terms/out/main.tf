variable "a" {
  type     = bool
  nullable = false
}

variable "b" {
  type     = bool
  nullable = false
}

variable "c" {
  type     = bool
  nullable = false
}

variable "d" {
  type     = bool
  nullable = false
}

variable "e" {
  type     = bool
  nullable = false
}

variable "f" {
  type     = bool
  nullable = false
}

variable "g" {
  type     = bool
  nullable = false
}

variable "h" {
  type     = bool
  nullable = false
}

variable "i" {
  type     = bool
  nullable = false
}

variable "j" {
  type     = bool
  nullable = false
}

variable "k" {
  type     = bool
  nullable = false
}

variable "l" {
  type     = bool
  nullable = false
}

variable "m" {
  type     = bool
  nullable = false
}

variable "n" {
  type     = bool
  nullable = false
}

variable "o" {
  type     = bool
  nullable = false
}

# It is 1 where any of them is on. In the words of each step there would be a condition of thousands of parts.
locals {
  a = var.a ? 1 : 0
  b = max(local.a, var.b ? 1 : 0)
  c = max(local.b, var.c ? 1 : 0)
  d = max(local.c, var.d ? 1 : 0)
  e = max(local.d, var.e ? 1 : 0)
  f = max(local.e, var.f ? 1 : 0)
  g = max(local.f, var.g ? 1 : 0)
  h = max(local.g, var.h ? 1 : 0)
  i = max(local.h, var.i ? 1 : 0)
  j = max(local.i, var.j ? 1 : 0)
  k = max(local.j, var.k ? 1 : 0)
  l = max(local.k, var.l ? 1 : 0)
  m = max(local.l, var.m ? 1 : 0)
  n = max(local.m, var.n ? 1 : 0)
  o = max(local.n, var.o ? 1 : 0)
}

# phi: input (terraform_data.any) — gate: input == 1 — trace: main.tf:95-97 — compiler: tf-phi golden
resource "terraform_data" "any_v1" {
  count = var.a || var.b || var.c || var.d || var.e || var.f || var.g || var.h || var.i || var.j || var.k || var.l || var.m || var.n || var.o ? 1 : 0
  input = 1
}

# phi: input (terraform_data.any) — gate: input == 0 — trace: main.tf:95-97 — compiler: tf-phi golden
resource "terraform_data" "any_v0" {
  count = !var.a && !var.b && !var.c && !var.d && !var.e && !var.f && !var.g && !var.h && !var.i && !var.j && !var.k && !var.l && !var.m && !var.n && !var.o ? 1 : 0
  input = 0
}
