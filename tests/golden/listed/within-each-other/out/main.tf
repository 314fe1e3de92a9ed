locals {
  policies = {
    read  = { effect = "Allow", tests = ["a", "b"] }
    write = { effect = "Deny", tests = ["c"] }
  }
}

data "aws_iam_policy_document" "all" {
  count = 2

  dynamic "statement" {
    for_each = local.policies
    iterator = policy
    content {
      sid    = "${policy.key}${count.index}"
      effect = policy.value.effect

      dynamic "condition" {
        for_each = policy.value.tests
        content {
          test     = "StringEquals"
          variable = "aws:${condition.value}"
          values   = ["${policy.key}${condition.key}"]
        }
      }
    }
  }
}

resource "aws_iam_policy" "all" {
  count  = 2
  policy = data.aws_iam_policy_document.all[count.index].json
}

# phi: statement.condition.values (aws_thing.all), statement.effect (aws_thing.all), statement.sid (aws_thing.all) — gate: Existing(true) — trace: main.tf:35-55 — compiler: tf-phi golden
resource "aws_thing" "all" {
  count = 2

  dynamic "statement" {
    for_each = local.policies
    iterator = policy
    content {
      sid    = [{ read = "read0", write = "write0" }, { read = "read1", write = "write1" }][count.index][policy.key]
      effect = { read = "Allow", write = "Deny" }[policy.key]

      dynamic "condition" {
        for_each = policy.value.tests
        content {
          test     = "StringEquals"
          variable = "aws:${condition.value}"
          values   = { read = [["read0"], ["read1"]], write = [["write0"]] }[policy.key][condition.key]
        }
      }
    }
  }
}
