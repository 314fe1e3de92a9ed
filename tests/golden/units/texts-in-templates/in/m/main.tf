variable "path" {
  type = string
}

resource "terraform_data" "run" {
  input = var.path
}

output "all" {
  value = [
    "quoted ${var.path}",
    "stripped ${~ var.path ~} ${var.path}",
    "beside %${var.path}{",
    <<EOT
dir = ${var.path}
${var.path} first
E${var.path}
EOT
    ,
    <<-EOT
      dir = ${var.path}
        ${var.path}
    EOT
    ,
  ]
}
