size = local.size
