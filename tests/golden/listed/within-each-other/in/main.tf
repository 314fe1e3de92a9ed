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

resource "aws_thing" "all" {
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
