# Resources that become arguments of the call which their owner becomes, in their own words; what the types don't name goes.
# phi: aws_s3_bucket.app — service: bucket — form factor: on-prem
module "app" {
  source = "./services/bucket"
  nodes = [
    {
      class = "a"
    },
    {
      class = "b"
      zone  = module.each["x"].id
    },
  ]
  policy = {
    text = <<-EOT
      {
        "Resource": "${module.app.arn}/*"
      }
    EOT
  }
  versioning = {
    # kept
    status = {
      value = "Enabled" # always
    }
  }
  bucket = "app"
}

# phi: aws_s3_bucket.each — service: bucket — form factor: on-prem
module "each" {
  source = "./services/bucket"
  versioning = {
    status = {
      value = each.key == "x" ? "Enabled" : "Suspended"
    }
  }
  for_each = toset(["x", "y"])
  bucket   = each.key
}

# phi: aws_s3_bucket.plain — service: bucket — form factor: on-prem
module "plain" {
  source = "./services/bucket"
  bucket = "plain"
}

output "ids" {
  value = [module.app.id, module.plain.id]
}
