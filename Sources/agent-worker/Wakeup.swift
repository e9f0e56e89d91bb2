import CDescriptors
import Glibc

/// Wakes a thread that waits: a pipe, whose bytes mean nothing.
struct Wakeup: Sendable {
  /// Readable while a signal waits.
  let descriptor: Int32
  private let sender: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    guard descriptors_pipe(&ends) == 0 else {
      Exit.now(71, "There is no descriptor for a wake-up.")
    }
    // A full pipe has signals enough.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    (descriptor, sender) = (ends[0], ends[1])
  }

  func signal() {
    var byte: UInt8 = 0
    while write(sender, &byte, 1) < 0, errno == EINTR {}
  }

  /// Waits for a signal; several before it count as one.
  func wait() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
      while read(descriptor, bytes.baseAddress, bytes.count) < 0, errno == EINTR {}
    }
  }
}
