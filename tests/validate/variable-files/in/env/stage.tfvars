size {
}
