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
  /// The events and refusals of clients that have disconnected.
  private var accepted = 0
  private var refused = 0
  /// The task that opens the port and serves it.
  var task: Task<Void, Never>?

  var isStopping: Bool {
    if case .stopping = phase { true } else { false }
  }

  /// Records that the port is open. Returns false if it must be closed at once.
  mutating func opened(_ channel: any Channel, at address: String?) -> Bool {
    guard !isStopping else { return false }
    phase = .open(channel, address: address ?? "")
    return true
  }

  /// Records why the port can't be opened. Returns whether the reason is new.
  mutating func failed(_ problem: String) -> Bool {
    switch phase {
    case .stopping: return false
    case .failed(let known) where known == problem: return false
    case .starting, .open, .failed:
      phase = .failed(problem)
      return true
    }
  }

  /// Adds a client and returns its number. Nil means that there are too many clients, or that the
  /// port is being closed.
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

  /// The parts of an open port, which end when it is closed.
  struct Remains {
    let task: Task<Void, Never>?
    /// Nil when the port isn't open.
    var server: (any Channel)?
    var clients: [any Channel] = []
  }

  /// Records that the port is being closed.
  mutating func stop() -> Remains {
    defer { phase = .stopping }
    var remains = Remains(task: task)
    guard case .open(let server, _) = phase else { return remains }
    remains.server = server
    remains.clients = clients.values.map(\.channel)
    return remains
  }

  /// - Parameter wanted: the address in the settings.
  func report(at wanted: String) -> ListenerReport {
    var report = ListenerReport(name: EventPort.name, address: wanted, state: .starting)
    switch phase {
    case .starting, .stopping: break
    case .open(_, let address):
      report.state = .listening
      report.address = address
    case .failed(let problem):
      report.state = .failed
      report.problem = problem
    }
    report.connections = clients.count
    report.accepted = clients.values.reduce(accepted) { $0 + $1.connection.accepted }
    report.refused = clients.values.reduce(refused) { $0 + $1.connection.refused }
    return report
  }
}
