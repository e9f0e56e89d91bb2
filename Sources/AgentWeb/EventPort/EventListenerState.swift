internal import AgentDiagnostics
internal import AgentHost
internal import AgentSettings
internal import NIOCore

/// The state of an event port and its connected clients.
struct EventListenerState {
  private enum Phase {
    case starting
    case open(any Channel, address: String)
    case failed(String)
    case stopping
  }

  /// A connected client.
  private struct Client {
    let channel: any Channel
    let connection: EventConnection
    /// The client that the connection counts for.
    let address: String
  }

  /// The answer to a client that connects.
  enum Admission: Equatable {
    /// It is served, with this number.
    case admitted(Int)
    /// It is closed, with the reason as a sentence.
    case refused(String)
  }

  private var phase = Phase.starting
  private var clients: [Int: Client] = [:]
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

  /// Adds a client, unless there are too many or the port is being closed.
  mutating func admit(
    _ channel: any Channel, _ connection: EventConnection, limits: ConnectionBudget.EventLimits
  ) -> Admission {
    guard clients.count < limits.all, !isStopping else {
      return .refused(
        "Too many clients are connected: at most \(limits.all), events.tcp.max_connections.")
    }
    let peer = channel.remoteAddress?.ipAddress ?? ""
    let address = NetworkPrefix.client(at: peer)
    if let most = limits.perAddress, clients.values.count(where: { $0.address == address }) >= most
    {
      return .refused(
        "Your address has \(most) connections, which is the limit: half of "
          + "events.tcp.max_connections.")
    }
    lastNumber += 1
    clients[lastNumber] = Client(channel: channel, connection: connection, address: address)
    return .admitted(lastNumber)
  }

  mutating func remove(_ number: Int) {
    guard let client = clients.removeValue(forKey: number) else { return }
    accepted += client.connection.accepted
    refused += client.connection.refused
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
