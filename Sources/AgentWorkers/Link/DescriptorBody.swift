internal import CDescriptors
internal import Glibc

/// The body of a frame in the memfd that the worker sent. The memfd is sealed, so the body can't
/// change.
///
/// The descriptor is closed when this object is released.
package final class DescriptorBody: Sendable {
  private let descriptor: Int32
  /// The size in bytes, at least 1.
  package let size: Int

  /// Takes ownership of a descriptor.
  /// - Parameter size: the size of the sealed memfd in bytes. With a negative size, the object only
  ///   closes the descriptor.
  init(_ descriptor: Int32, size: Int) {
    (self.descriptor, self.size) = (descriptor, size)
  }

  deinit { close(descriptor) }

  /// Reads the body. Returns a copy in the host's memory. Any thread.
  /// - Throws: `.breach` if the memfd can't be read completely.
  package func read() throws(WorkerSocket.Failure) -> [UInt8] {
    let body = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      // `pread` has an offset of its own. The worker shares the offset of the file and could move
      // it.
      count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
    guard body.count == size else { throw .breach("A descriptor beside a frame can't be read.") }
    return body
  }
}
