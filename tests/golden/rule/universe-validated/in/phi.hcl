specialize "terraform_data" { fields = ["input"] }
variable "same" { universe = ["a", "b"] }
variable "wider" { universe = ["a", "b"] }
variable "narrower" { universe = ["a", "b"] }
