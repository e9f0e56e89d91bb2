internal import AgentSystem
internal import Glibc

/// The lock that permits one host in a folder. It is an `flock` on `.agent/lock`, which contains
/// the host's pid. The host holds it until it ends.
package final class HostLock: Sendable {
  /// The reason why the lock couldn't be taken.
  package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The pid of the host that holds it, if known.
    package let holder: Int32?
    /// A sentence for the person who started the second host.
    package let message: String
    package var description: String { message }
  }

  private let descriptor: Int32

  /// Takes the lock.
  ///
  /// If a host is killed while it starts a worker, the child holds the lock until it executes its
  /// program a moment later. While the host named in the file is gone, this call therefore tries
  /// again.
  /// - Parameter again: called with the number of earlier tries before each further one. It waits,
  ///   and returns whether to try again.
  /// - Throws: `Refusal` if another host holds the lock, or the file can't be opened.
  package init(
    path: String, again: (_ tries: Int) -> Bool = HostLock.waitsALittle
  ) throws(Refusal) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Refusal(
        holder: nil,
        message: "\(path) can't be opened: \(SystemError.text(errno)). The agent needs "
          + "write access to its .agent folder.")
    }
    var tries = 0
    // The kernel releases the lock when the process ends, for whatever reason. A file with only a
    // pid would remain after a killed host.
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let holder = Self.pid(in: path)
      tries += 1
      if let holder, Self.isGone(holder), again(tries) { continue }
      let who = holder.map { "pid \($0)" } ?? "another process"
      throw Refusal(
        holder: holder,
        message: "This agent already runs: \(who) holds \(path). Use \"agent status\" to see "
          + "it or \"agent stop\" to end it.")
    }
    // Only the holder writes the file. Before that, it names the earlier holder.
    ftruncate(descriptor, 0)
    let text = Array("\(getpid())\n".utf8)
    _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// `deinit` also runs after `init` has thrown, so `init` must not close the descriptor. A second
  /// `close` could hit another file.
  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits 10 ms. Returns false after two seconds.
  package static func waitsALittle(_ tries: Int) -> Bool {
    guard tries <= 200 else { return false }
    usleep(10_000)
    return true
  }

  private static func isGone(_ pid: Int32) -> Bool { kill(pid, 0) != 0 && errno == ESRCH }

  /// Returns the pid of the host that holds the lock, or `nil` if no host does.
  package static func holder(path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // A shared lock, so that two callers at the same time don't take each other for a host. Closing
    // the descriptor releases it.
    if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return nil }
    return pid(in: path)
  }

  /// Returns whether a host holds the lock.
  package static func isHeld(path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  private static func pid(in path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return Int32(String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self))
  }
}
