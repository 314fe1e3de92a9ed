variable "name" {
  type = string
}

variable "parameters" {
  type = map(string)
  default = {
    max_connections                     = "1"
    shared_buffers                      = "38"
    work_mem                            = "75"
    maintenance_work_mem                = "15"
    effective_cache_size                = "52"
    wal_buffers                         = "89"
    checkpoint_timeout                  = "29"
    max_wal_size                        = "66"
    min_wal_size                        = "6"
    random_page_cost                    = "43"
    effective_io_concurrency            = "80"
    max_worker_processes                = "20"
    max_parallel_workers                = "57"
    max_parallel_workers_per_gather     = "94"
    autovacuum_max_workers              = "34"
    autovacuum_naptime                  = "71"
    autovacuum_vacuum_scale_factor      = "11"
    autovacuum_analyze_scale_factor     = "48"
    log_min_duration_statement          = "85"
    log_checkpoints                     = "25"
    log_lock_waits                      = "62"
    log_temp_files                      = "2"
    deadlock_timeout                    = "39"
    lock_timeout                        = "76"
    statement_timeout                   = "16"
    idle_in_transaction_session_timeout = "53"
    tcp_keepalives_idle                 = "90"
    tcp_keepalives_interval             = "30"
    tcp_keepalives_count                = "67"
    default_statistics_target           = "7"
  }
}

# The disk outlives the instance.
resource "terraform_data" "disk" {
  input = {
    name = "${var.name}-disk"
    size = 100
    kind = "ssd"
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "this" {
  input = {
    name       = var.name
    engine     = "16.2" # The version of the server.
    disk       = terraform_data.disk.output.name
    parameters = var.parameters
  }
}

resource "terraform_data" "dns" {
  input = "${var.name}.db.example.org"
}

output "address" {
  value = terraform_data.dns.output
}

output "disk" {
  value = terraform_data.disk.output.name
}
