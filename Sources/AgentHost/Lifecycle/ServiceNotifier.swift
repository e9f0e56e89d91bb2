internal import AgentSystem
internal import Glibc

/// Tells systemd how the host is, over the socket that `NOTIFY_SOCKET` names (sd_notify(3)); does
/// nothing where there is none.
package struct ServiceNotifier: Sendable {
  private let address: String?

  /// How often systemd wants a notice of the host, in microseconds; nil when it doesn't watch.
  package let watchdogInterval: UInt64?

  /// Reads the environment that systemd gives its services.
  package init() {
    address = getenv("NOTIFY_SOCKET").map { String(cString: $0) }
    // systemd sets WATCHDOG_PID to the process that it watches. A child that has inherited the
    // variables must not answer (sd_watchdog_enabled(3)).
    let isForUs =
      getenv("WATCHDOG_PID").map { String(cString: $0) == String(getpid()) } ?? true
    watchdogInterval =
      isForUs ? getenv("WATCHDOG_USEC").flatMap { UInt64(String(cString: $0)) } : nil
  }

  /// The host runs.
  package func ready(status: String) { send("READY=1\nSTATUS=\(status)\nMAINPID=\(getpid())\n") }
  /// How often systemd is asked for more time while the host starts.
  private static let extensionPause = Duration.seconds(10)

  /// The host is starting: asks for more time until the task is cancelled.
  package func extendStart() -> Task<Void, any Error> {
    Task {
      while !Task.isCancelled {
        // Three times the pause, so that one late wake-up doesn't end the start.
        starting(for: Self.extensionPause * 3)
        try await Task.sleep(for: Self.extensionPause)
      }
    }
  }

  /// The host is starting, and needs this long more for it.
  private func starting(for time: Duration) {
    send("EXTEND_TIMEOUT_USEC=\(max(0, time.wholeMilliseconds).multiplied(1000))\n")
  }
  /// The host is alive.
  package func alive() { send("WATCHDOG=1\n") }
  /// The host reads its settings anew.
  package func reloading() {
    var time = timespec()
    // systemd orders RELOADING=1 by this clock (sd_notify(3), MONOTONIC_USEC).
    clock_gettime(CLOCK_MONOTONIC, &time)
    let microseconds = Int64(time.tv_sec).multiplied(1_000_000).adding(Int64(time.tv_nsec) / 1000)
    send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)\n")
  }
  /// The host ends.
  package func stopping() { send("STOPPING=1\n") }

  private func send(_ message: String) {
    guard let address, !address.isEmpty else { return }
    let descriptor = socket(
      AF_UNIX, Int32(clamping: SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(clamping: AF_UNIX)
    let bytes = Array(address.utf8)
    // A longer path can't be a socket's address.
    guard bytes.count < MemoryLayout.size(ofValue: name.sun_path) else { return }
    withUnsafeMutableBytes(of: &name.sun_path) { path in
      path.copyBytes(from: bytes)
      // An address that begins with @ is abstract: its first byte is zero.
      if bytes.first == UInt8(ascii: "@") { path[0] = 0 }
    }
    let length = socklen_t(clamping: MemoryLayout<sa_family_t>.size + bytes.count)
    let text = Array(message.utf8)
    _ = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, text, text.count, Int32(clamping: MSG_NOSIGNAL), $0, length)
      }
    }
  }
}
