package import AgentHost
internal import ServiceLifecycle

/// Tells the host first that the service group ends.
///
/// A group ends its services one after the other, the last first, and a server waits for its open
/// requests. Those may wait for the host, which would be told last. This service is therefore the
/// last in the group.
/// last in the group.
package struct StopAnnouncer: Service {
  private let host: HostApplication

  /// The announcer of a host's end.
  package init(host: HostApplication) { self.host = host }

  /// Waits for the end.
  package func run() async throws {
    try? await gracefulShutdown()
    host.lifecycle.announceStop()
  }
}

extension Service {
  /// Runs a server until it ends. Once the host ends, open requests get a grace period, after which
  /// their connections are closed.
  func run(withGraceOf host: HostApplication) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await run() }
      group.addTask { await host.lifecycle.graceIsOver() }
      try await group.next()
      group.cancelAll()
      do {
        try await group.waitForAll()
      } catch  where host.lifecycle.isEnding {
        // The grace period was over.
      }
    }
  }
}
