variable "pg" {}
