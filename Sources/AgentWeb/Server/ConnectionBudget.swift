internal import AgentSettings

/// How many connections the ports take, so that descriptors are left for the host itself: its
/// database, workers, logs, and the management socket.
struct ConnectionBudget: Equatable {
  /// The connections of the API's port.
  let api: Int
  /// Those of one client of it.
  let perAddress: Int
  /// The connections of `events.tcp`.
  let events: Int

  /// What the host needs besides its workers.
  private static let reserve = 256
  /// A worker has a socket, a pidfd, and pipes for its output and its last words.
  private static let perProcess = 8

  /// - Parameters:
  ///   - descriptors: the number that this process may have open.
  ///   - processes: the number of workers that the settings ask for.
  init(descriptors: Int, processes: Int, http: HTTPSettings.Limits, events: Int) {
    let needed = Self.reserve + Self.perProcess * min(max(0, processes), 1 << 20)
    // With a limit that is too small for the workers alone, people can still look what is wrong.
    let free = max(32, descriptors - needed)
    api = min(http.connections, free * 3 / 4)
    // One client never gets all connections, so that other clients can still connect.
    perAddress = min(http.connectionsPerAddress, max(1, api / 2))
    self.events = min(events, free / 4)
  }
}
