output "path" { value = path.module }
