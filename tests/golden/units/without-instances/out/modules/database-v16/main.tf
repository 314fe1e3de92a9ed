variable "name" {
  type = string
}

variable "standby_size" {
  type    = string
  default = "small"
}

resource "terraform_data" "database" {
  input = {
    version = "16"
    name    = var.name
  }
}

# No trace says how many of these there are.
resource "terraform_data" "counted" {
  count = 0
}

resource "terraform_data" "counts" {
  count = length(terraform_data.counted)
}

resource "terraform_data" "waits" {
  count = 0
}

resource "terraform_data" "kept" {
  count = 0

  lifecycle {
    prevent_destroy = true
  }
}

resource "terraform_data" "says" {
  count = 0

  provisioner "local-exec" {
    when    = destroy
    command = "true"
  }
}

module "standby" {
  count  = 1
  source = "../standby"

  size = var.standby_size
}

output "all" {
  value = {
    one      = null
    several  = []
    number   = 0
    tried    = var.name
    arm      = var.name
    names    = []
    standby  = module.standby[0].id
    replicas = {}
    last     = ""
  }
  depends_on = [terraform_data.waits]
}
