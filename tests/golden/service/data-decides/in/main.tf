data "terraform_remote_state" "site" {
  backend = "local"
  config = {
    path = "site.tfstate"
  }
}

resource "aws_db_instance" "app" {
  engine         = data.terraform_remote_state.site.outputs.engine
  engine_version = data.terraform_remote_state.site.outputs.engine == "postgres" ? data.terraform_remote_state.site.outputs.version : "8.0"
}
