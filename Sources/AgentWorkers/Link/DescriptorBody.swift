internal import CDescriptors
internal import Glibc

/// A frame's body that is still in the memfd that the worker sent. Nobody can change it any more.
///
/// It closes the descriptor at its own end.
package final class DescriptorBody: Sendable {
  private let descriptor: Int32
  /// The size in bytes, at least 1.
  package let size: Int

  /// Takes a sealed memfd over.
  init(_ descriptor: Int32, size: Int) {
    (self.descriptor, self.size) = (descriptor, size)
  }

  deinit { close(descriptor) }

  /// Reads the body. Any thread; the memory is the host's from then on.
  package func read() throws(WorkerSocket.Failure) -> [UInt8] {
    let body = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      // With an offset of its own: the worker shares the file's, and could move it.
      count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
    guard body.count == size else { throw .breach("A descriptor beside a frame can't be read.") }
    return body
  }
}
