# Licence

/* first */
resource "aws_instance" "web" { # trailing
  count = var.n > 1 && !local.off ? -1 : (2 + 3) * 4 % 5
  // about tags
  tags = merge({ Name = "a-${var.name}", (var.key) : null, "quoted ${1}" = true }, local.tags...)
  ids  = [for i, s in aws_subnet.all : s.id if s.public && i != 0]
  map  = { for k, v in var.m : "${k}!" => v... if v != null }
  one  = aws_x.y[*].z[0].w[*].q
  two  = aws_x.y.*.z.0.w[var.i]
  legacy = a.b.0.c
  arn  = provider::aws::arn_parse(data.x["k"].arn).account
  text = <<-EOT
    hello ${upper("x")} /* no comment */
      %{ for k, v in var.m ~}
    ${k} = ${v} %{ if v == 1 }one%{ else }other ${var.z}%{ endif }
    %{ endfor ~}
  EOT
  empty = [ ]
  lifecycle {
    ignore_changes = [tags["a"], all]
  }
  dynamic "b" { /* c */
    for_each = []
    content { name = each.value }
  }
}
empty {}
