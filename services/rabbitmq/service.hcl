# RabbitMQ: a cluster of its operator, https://github.com/rabbitmq/cluster-operator
# Operator 2.22.3, RabbitMQ 4.2.6. There is no chart of its makers: the operator is installed from manifests of our own.

service "rabbitmq" {
  replaces = "aws_mq_broker"
  when     = { engine_type = "RabbitMQ" }
  module   = "./aws_mq_broker"
  operator = "./operator"
  posture  = "restricted"

  field "engine_version" {
    universe  = ["4.2"]
    accepts   = "4\\.2\\.[0-9]+"
    otherwise = "RabbitMQ 4.2 is what its makers maintain and Amazon MQ has as well. It has no mirrored classic queues; clients of AMQP 0-9-1 stay as they are. The broker starts empty in any case, so that the jump costs no migration of data, and is accepted by an input of the form factor."
  }

  images = [
    "ghcr.io/rabbitmq/cluster-operator:2.22.3",
    "docker.io/library/rabbitmq:4.2.6-management",
  ]

  refuses = {
    data_replication_mode               = "A replica in another region isn't made."
    data_replication_primary_broker_arn = "A replica in another region isn't made."
    ldap_server_metadata                = "The broker has its users itself."
  }

  ignores = {
    apply_immediately             = "Changes are always applied at once."
    auto_minor_version_upgrade    = "The image decides the version, and comes with the service."
    "configuration.revision"      = "The configuration has the lines that are written."
    encryption_options            = "The storage class decides whether the volume is encrypted."
    logs                          = "Logs are those of the pods."
    maintenance_window_start_time = "Nothing is maintained by itself."
    publicly_accessible           = "The service is reachable within the cluster alone."
    security_groups               = "A cluster of Kubernetes has a network of its own."
    storage_type                  = "Give the storage class as an input of the form factor: storage_class."
    subnet_ids                    = "A cluster of Kubernetes has a network of its own."
    tags                          = "Labels of Kubernetes allow fewer characters than tags of AWS."
    timeouts                      = "Helm has a timeout of its own."
    "user.console_access"         = "The user is an administrator, console included."
    "user.groups"                 = "The user is an administrator."
    "user.password"               = "The password is that of a secret: user_secret, an input of the form factor, says which."
    "user.replication_user"       = "A replica in another region isn't made."
  }
}

service "rabbitmq-configuration" {
  replaces = "aws_mq_configuration"
  when     = { engine_type = "RabbitMQ" }
  module   = "./aws_mq_configuration"
  posture  = "restricted"

  ignores = {
    authentication_strategy = "The broker has its users itself."
    description             = "Nothing is made of a configuration but what the broker says."
    engine_version          = "The version is the broker's."
    tags                    = "Nothing is made of a configuration but what the broker says."
  }
}

service "rabbitmq-activemq" {
  replaces = "aws_mq_broker"
  when     = { engine_type = "ActiveMQ" }
  module   = "./activemq"
  posture  = "restricted"

  refuses = {
    engine_type = "Nothing that comes with tf-phi stands in for ActiveMQ. Clients that speak AMQP 1.0 can use RabbitMQ: set engine_type = \"RabbitMQ\". For others write a service of your own."
  }
}
