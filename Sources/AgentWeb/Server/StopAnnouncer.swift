package import AgentHost
internal import ServiceLifecycle

/// Announces to the host that the service group ends.
///
/// A group ends its services one after the other, the last first. A server waits for its open
/// requests, which may wait for the host. The host would get the end last. This service is
/// therefore the last in the group.
package struct StopAnnouncer: Service {
  private let host: HostApplication

  /// Makes the announcer of a host.
  package init(host: HostApplication) { self.host = host }

  /// Waits for the end of the group.
  package func run() async throws {
    try? await gracefulShutdown()
    host.lifecycle.announceStop()
  }
}

extension Service {
  /// Runs a server until it ends. When the host stops, open requests get a grace period. Then their
  /// connections are closed.
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
