internal import AgentBots
internal import Synchronization

/// Starts and stops instances of pools by way of the host, which is there only after its pools.
final class PoolHost: Sendable {
  private struct Owner: Sendable {
    weak var host: HostApplication?
  }

  private let owner = Mutex(Owner())

  /// From now on it is this one.
  func belong(to host: HostApplication) { owner.withLock { $0.host = host } }

  private var host: HostApplication {
    get throws {
      guard let host = owner.withLock({ $0.host }) else { throw CancellationError() }
      return host
    }
  }

  /// What a keeper of pools is given.
  var hands: InstanceController {
    InstanceController {
      try await self.host.startInstance($0)
    } stop: {
      try await self.host.stop($0)
    }
  }
}
