internal import Glibc

/// Which process this is.
enum ProcessIdentity {
  static var own: Int32 { getpid() }
}
