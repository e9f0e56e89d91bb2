internal import AgentDiagnostics
internal import AgentSettings
internal import AgentSystem

/// How many connections the ports take, so that descriptors are left for the host itself: its
/// database, workers, logs, and the management socket.
struct ConnectionBudget {
  /// The connections of `events.tcp`.
  struct EventLimits: Equatable {
    let all: Int
    /// The limit of one address. Nil means that all clients are programs of this machine, which
    /// have one address.
    var perAddress: Int?
  }

  /// The descriptors that are left for connections.
  private let free: Int

  /// - Parameters:
  ///   - descriptors: the number that this process may have open.
  ///   - processes: the number of workers that the settings ask for.
  init(descriptors: Int, processes: Int) {
    // With a limit that is too small for the workers alone, people can still look what is wrong.
    free = max(32, descriptors - ProcessLimits.descriptors(neededFor: processes))
  }

  /// The budget of this process.
  init(of settings: AgentSettings) {
    self.init(
      descriptors: DescriptorLimit.current,
      processes: settings.processes.count + settings.modules.count)
  }

  /// The connections of the API's port.
  func api(of limits: HTTPSettings.Limits) -> Int { min(limits.connections, free * 3 / 4) }

  /// Those of one client of it, which never gets all, so that others can still connect.
  func perAddress(of limits: HTTPSettings.Limits) -> Int {
    min(limits.connectionsPerAddress, max(1, api(of: limits) / 2))
  }

  /// Those of all other machines together. A few are left for this machine, so that a monitor on it
  /// learns that the host lives.
  func remote(of limits: HTTPSettings.Limits) -> Int {
    let all = api(of: limits)
    return max(1, all - max(1, all / 16))
  }

  /// The connections of `events.tcp`. One address never gets all, so that others can still connect.
  /// Clients of a port for this machine alone all have its address.
  func eventLimits(of settings: EventPortSettings) -> EventLimits {
    let all = min(settings.maxConnections, free / 4)
    return EventLimits(
      all: all, perAddress: settings.listen.isLoopback ? nil : max(1, all / 2))
  }
}
