specialize "terraform_data" {
  fields = ["input"]
}

variable "size" { bins = [100] }
