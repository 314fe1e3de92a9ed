variable "name" {
  type = string
}

variable "stage" {
  type = string
}

variable "runtime" {
  type = string
}

variable "memory" {
  type    = number
  default = 128
}

resource "aws_iam_role" "run" {
  name = "${var.name}-${var.stage}"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "lambda.amazonaws.com" }
    }]
  })
}

resource "aws_lambda_function" "run" {
  function_name = "${var.name}-${var.stage}"
  role          = aws_iam_role.run.arn
  runtime       = var.runtime
  handler       = "app.handle"
  memory_size   = var.memory
  s3_bucket     = "harbour-artifacts"
  s3_key        = "${var.name}.zip"
}

resource "aws_cloudwatch_log_group" "run" {
  name              = "/aws/lambda/${aws_lambda_function.run.function_name}"
  retention_in_days = 30
}

output "arn" {
  value = aws_lambda_function.run.arn
}
