import CSupervision
import Glibc

extension Supervisor {
  /// Whether the kernel has descriptors of processes (pidfd_open, Linux 5.3). Without them an exit
  /// could be missed, or a signal could reach another process.
  public static var hasProcessDescriptors: Bool {
    let descriptor = cs_pidfd_open(getpid())
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }
}
