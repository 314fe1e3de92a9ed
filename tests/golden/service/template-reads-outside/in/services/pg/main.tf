variable "allocated_storage" {
  type = number
}

resource "terraform_data" "own" {
  input = file("${path.module}/own.txt")
}

resource "terraform_data" "others" {
  input = [file("/etc/passwd"), filebase64("${path.module}/../../../secret"), fileexists("../x"), core::file("/etc/shadow")]
}
