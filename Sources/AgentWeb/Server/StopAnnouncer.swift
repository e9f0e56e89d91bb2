package import AgentHost
internal import ServiceLifecycle

/// Tells the host first of all that the group ends.
///
/// A group ends its services one after the other, the last first, and a server waits for the
/// requests that are open. Those may wait for the host, which would be told last: so this one comes
/// last in the group.
package struct StopAnnouncer: Service {
  private let host: HostApplication

  /// The announcer of a host's end.
  package init(host: HostApplication) { self.host = host }

  /// Waits for the end.
  package func run() async throws {
    try? await gracefulShutdown()
    host.announceStop()
  }
}

extension Service {
  /// Runs a server until it ends, or until requests have had their grace after the host began to end:
  /// connections that are open then are closed.
  func run(withGraceOf host: HostApplication) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await run() }
      group.addTask { await host.graceIsOver() }
      try await group.next()
      group.cancelAll()
      do {
        try await group.waitForAll()
      } catch  where host.isEnding {
        // It was cut off.
      }
    }
  }
}
