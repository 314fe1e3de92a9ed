output "n" { value = 1 }
