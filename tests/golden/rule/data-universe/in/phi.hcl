specialize "terraform_data" {
  fields = ["input"]
}

variable "data.terraform_remote_state.net.outputs.env" {
  universe = ["prod", "dev"]
}

variable "data.terraform_remote_state.net.outputs.size" {
  universe = [1, 2]
}

variable "module.site.data.terraform_remote_state.zone.outputs.zone" {
  universe = ["a", "b"]
}
