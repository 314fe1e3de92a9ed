resource "aws_db_instance" "one" {
  engine_version = "15.4"
}

resource "aws_db_instance" "list" {
  count          = 2
  engine_version = "15.4"
}

resource "aws_db_instance" "map" {
  for_each       = toset(["a", "b"])
  engine_version = "15.4"
}

locals {
  plain     = aws_db_instance.one.address
  prefixed  = resource.aws_db_instance.one.address
  quoted    = aws_db_instance.one["address"]
  text      = "${aws_db_instance.one.address}:${aws_db_instance.one.port}"
  first     = aws_db_instance.list[0].address
  legacy    = aws_db_instance.list.0.address
  all       = aws_db_instance.list[*].address
  attribute = aws_db_instance.list.*.address
  some      = one(slice(aws_db_instance.list[*].address, 0, 1))
  count     = length(aws_db_instance.list) > 0 ? (aws_db_instance.list[0]).address : null
  by_key    = aws_db_instance.map["a"].address
  by_name   = { for name in ["a", "b"] : name => aws_db_instance.map[name].address }
  deep      = [aws_db_instance.one.address][0]
  tried     = try(aws_db_instance.list[1].address, "")
  keys      = keys(aws_db_instance.map)
  listed    = values(aws_db_instance.map)[*].address
  counted   = length(values(aws_db_instance.map))

  looped  = [for db in aws_db_instance.list : db.address]
  keyed   = { for name, db in aws_db_instance.map : name => format("%s:%s", db.address, db["port"]) if db.port > 0 }
  within  = [for db in values(aws_db_instance.map) : [for part in split("-", db.address) : upper(part)]]
  hidden  = [for db in aws_db_instance.list : [for db in [db.address] : db]]
  grouped = { for db in aws_db_instance.list : db.address => db.port... }
  joined  = [for db in concat(aws_db_instance.list, aws_db_instance.list) : format("%s:%s", db.address, db.port)]
}

resource "terraform_data" "each" {
  for_each = toset(["a", "b"])
  input    = aws_db_instance.map[each.key].address

  depends_on = [aws_db_instance.one, aws_db_instance.list[0]]
}

output "heredoc" {
  value = <<-EOT
    host = ${aws_db_instance.one.address}
    %{for db in aws_db_instance.list}
    of many = ${db.address}
    %{endfor}
  EOT
}
