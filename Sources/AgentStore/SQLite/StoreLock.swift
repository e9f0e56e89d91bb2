internal import AgentSystem
internal import Glibc

/// The lock that refuses other hosts while this one has the database open. The system releases it
/// when the process ends, even after a crash.
final class StoreLock {
  private var descriptor: Int32

  /// - Parameter path: the path of the database. The lock is the file `path.lock`.
  /// - Throws: `locked`, with the process that has the lock, or `unusable`.
  init(beside path: String) throws(StoreError) {
    let file = "\(path).lock"
    descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(
        .unusable, "\(file) can't be opened. Check that its folder exists and is ours to write in.",
        cause: SystemError.text(errno))
    }
    // A separate file, because SQLite's locks on the database end with each transaction. `flock`
    // belongs to the open file description, so closing another descriptor of the file doesn't
    // release it.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let holder = Self.holder(descriptor)
      Glibc.close(descriptor)
      descriptor = -1
      throw StoreError(
        .locked, "\(path) is in use by \(holder). One host opens a database; stop that one first.")
    }
    // The number is only for the message of a host that is refused. The lock doesn't need it.
    let line = "\(getpid())\n"
    ftruncate(descriptor, 0)
    _ = line.withCString { pwrite(descriptor, $0, strlen($0), 0) }
  }

  func release() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  deinit { release() }

  /// Returns the process that has the lock, for a message.
  private static func holder(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    guard let process = Int32(text.split(separator: "\n").first ?? "") else {
      return "another process"
    }
    return "process \(process)"
  }
}
