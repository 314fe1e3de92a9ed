//! (header follows)
