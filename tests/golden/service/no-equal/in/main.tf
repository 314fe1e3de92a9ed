resource "aws_db_instance" "app" {
  engine         = "postgres"
  engine_version = "15.4"

  lifecycle {
    replace_triggered_by = [terraform_data.x]

    precondition {
      condition     = terraform_data.x.id != ""
      error_message = "No."
    }
  }

  provisioner "local-exec" {
    command = "true"
  }
}

resource "terraform_data" "x" {}

resource "terraform_data" "y" {
  lifecycle {
    replace_triggered_by = [aws_db_instance.app]
  }
}

import {
  to = aws_db_instance.app
  id = "x"
}
