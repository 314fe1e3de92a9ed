# Resources that become arguments of the call which their owner becomes, in their own words; what the types don't name goes.
resource "aws_s3_bucket" "app" {
  bucket = "app"
}

# Said at length.
resource "aws_s3_bucket_versioning" "app" {
  bucket = aws_s3_bucket.app.id
  mfa    = "1234"

  # kept
  status {
    value = "Enabled" # always
    since = 3
  }

  depends_on = [aws_s3_bucket_policy.app]
}

resource "aws_s3_bucket_policy" "app" {
  bucket = aws_s3_bucket.app.bucket
  text   = <<-EOT
    {
      "Resource": "${aws_s3_bucket.app.arn}/*"
    }
  EOT

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_s3_bucket_node" "first" {
  bucket = aws_s3_bucket.app.id
  class  = "a"
}

resource "aws_s3_bucket_node" "second" {
  bucket = aws_s3_bucket.app.id
  class  = "b"
  zone   = aws_s3_bucket.each["x"].id
  colour = "red"
}

resource "aws_s3_bucket" "each" {
  for_each = toset(["x", "y"])
  bucket   = each.key
}

resource "aws_s3_bucket_versioning" "each" {
  for_each = toset(["x", "y"])
  bucket   = aws_s3_bucket.each[each.key].id
  status {
    value = each.key == "x" ? "Enabled" : "Suspended"
  }
}

resource "aws_s3_bucket" "plain" {
  bucket = "plain"
}

output "ids" {
  value = [aws_s3_bucket.app.id, aws_s3_bucket.plain.id]
}
