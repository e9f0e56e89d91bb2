internal import AgentDiagnostics
internal import AgentHost
internal import NIOCore

/// The state of an event port and its connected clients.
struct EventListenerState {
  private enum Phase {
    case starting
    case open(any Channel, address: String)
    case failed(String)
    case stopping
  }

  private var phase = Phase.starting
  private var clients: [Int: (channel: any Channel, connection: EventConnection)] = [:]
  private var lastNumber = 0
  /// What clients have brought that are gone.
  private var accepted = 0
  private var refused = 0
  /// What opens the port and serves it.
  var task: Task<Void, Never>?

  var isStopping: Bool {
    if case .stopping = phase { true } else { false }
  }

  /// The port is open; false when it is to be closed already.
  mutating func opened(_ channel: any Channel, at address: String?) -> Bool {
    guard !isStopping else { return false }
    phase = .open(channel, address: address ?? "")
    return true
  }

  /// The port can't be opened; whether that is news.
  mutating func failed(_ problem: String) -> Bool {
    switch phase {
    case .stopping: return false
    case .failed(let known) where known == problem: return false
    case .starting, .open, .failed:
      phase = .failed(problem)
      return true
    }
  }

  /// A client's number; nil when there are too many, or the port is being closed.
  mutating func admit(
    _ channel: any Channel, _ connection: EventConnection, most: Int
  ) -> Int? {
    guard clients.count < most, !isStopping else { return nil }
    lastNumber += 1
    clients[lastNumber] = (channel, connection)
    return lastNumber
  }

  mutating func remove(_ number: Int) {
    guard let (_, connection) = clients.removeValue(forKey: number) else { return }
    accepted += connection.accepted
    refused += connection.refused
  }

  /// What is to be ended: the task, the port where it is open, and the clients.
  mutating func stop() -> (Task<Void, Never>?, (any Channel)?, [any Channel]) {
    defer { phase = .stopping }
    guard case .open(let server, _) = phase else { return (task, nil, []) }
    return (task, server, clients.values.map(\.channel))
  }

  /// - Parameter wanted: where the settings want it.
  func report(at wanted: String) -> ListenerReport {
    var report = ListenerReport(name: EventPort.name, address: wanted, state: "STARTING")
    switch phase {
    case .starting, .stopping: break
    case .open(_, let address):
      report.state = "LISTENING"
      report.address = address
    case .failed(let problem):
      report.state = "FAILED"
      report.problem = problem
    }
    report.connections = clients.count
    report.accepted = clients.values.reduce(accepted) { $0 + $1.connection.accepted }
    report.refused = clients.values.reduce(refused) { $0 + $1.connection.refused }
    return report
  }
}
