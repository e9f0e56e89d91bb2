internal import AgentBots
internal import Synchronization

/// Starts and stops instances of pools through the host, which is created after its pools.
final class PoolHost: Sendable {
  private struct Owner: Sendable {
    // Weak: the host owns its pools, which own this.
    weak var host: HostApplication?
  }

  private let owner = Mutex(Owner())

  /// Sets the host. Called once, at the end of the host's initializer.
  func belong(to host: HostApplication) { owner.withLock { $0.host = host } }

  private var host: HostApplication {
    get throws {
      guard let host = owner.withLock({ $0.host }) else { throw CancellationError() }
      return host
    }
  }

  /// The controller for the autoscaler.
  var hands: InstanceController {
    InstanceController {
      try await self.host.startInstance($0)
    } stop: {
      try await self.host.stop($0)
    }
  }
}
