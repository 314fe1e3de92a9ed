# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.queue
  to   = module.queue_aws_aws_replica_aws[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.queue_aws_aws_replica_aws[0]
  to   = module.queue_aws_aws_replica_aws_us[0]
}
