# aws_mq_broker with engine_type = "ActiveMQ", which nothing stands in for.
