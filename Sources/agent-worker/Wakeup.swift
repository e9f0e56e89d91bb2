import CDescriptors
import Glibc

/// Wakes a waiting thread through a pipe. The values of the bytes have no meaning.
struct Wakeup: Sendable {
  /// The descriptor to poll. It is readable while a signal waits.
  let descriptor: Int32
  private let sender: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    guard descriptors_pipe(&ends) == 0 else {
      Exit.now(71, "No descriptor is available for the wake-up pipe.")
    }
    // The sender must not block. A full pipe wakes the thread anyway.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    (descriptor, sender) = (ends[0], ends[1])
  }

  func signal() {
    var byte: UInt8 = 0
    while write(sender, &byte, 1) < 0, errno == EINTR {}
  }

  /// Waits for a signal. Several signals before the wait count as one.
  func wait() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
      while read(descriptor, bytes.baseAddress, bytes.count) < 0, errno == EINTR {}
    }
  }
}
