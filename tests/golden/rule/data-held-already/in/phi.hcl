specialize "terraform_data" {
  fields = ["input"]
}

variable "data.terraform_remote_state.net.outputs.env" {
  universe = ["prod", "dev"]
}

variable "data.terraform_remote_state.net.outputs.size" {
  universe = ["a", "b"]
}
