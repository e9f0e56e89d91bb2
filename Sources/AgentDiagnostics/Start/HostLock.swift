internal import AgentSystem
internal import Glibc

/// The lock that allows one host at a time in a folder: `.agent/lock`, held with `flock`
/// for as long as the host lives, with the host's pid in it.
package final class HostLock: Sendable {
  /// Why the lock could not be had.
  package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The pid of the host that holds it, when it is known.
    package let holder: Int32?
    /// A sentence for the person who started the second host.
    package let message: String
    package var description: String { message }
  }

  private let descriptor: Int32

  /// Takes the lock, or says who has it.
  ///
  /// A host that is killed while it starts a worker leaves the lock to that process until its
  /// program runs, a moment later: as long as the host that is named there is gone, it is waited
  /// for.
  /// - Parameter again: called with the number of tries so far while that is so; waits, and returns
  ///   whether to try once more.
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
    // The kernel releases this lock when its process ends, however that ends. A file with a pid
    // alone would outlive a killed host.
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
    // Only with the lock: until then the file names its present holder.
    ftruncate(descriptor, 0)
    let text = Array("\(getpid())\n".utf8)
    _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// Also when `init` has thrown: closed there too it would be closed twice, and the second time be
  /// somebody else's.
  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Two seconds at most, in steps of a hundredth.
  package static func waitsALittle(_ tries: Int) -> Bool {
    guard tries <= 200 else { return false }
    usleep(10_000)
    return true
  }

  private static func isGone(_ pid: Int32) -> Bool { kill(pid, 0) != 0 && errno == ESRCH }

  /// The pid of the host that holds the lock now, nil when none does.
  package static func holder(path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Shared, so that two who look at once don't take each other for a host. Closing the
    // descriptor releases it.
    if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return nil }
    return pid(in: path)
  }

  /// Whether a host holds the lock now.
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
