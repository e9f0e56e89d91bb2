internal import AgentSystem
internal import Synchronization

/// A connection that ``ReadAheadBudget`` has ended.
struct EndedConnection: Sendable, Equatable {
  /// The client's address, if it has one.
  let peer: String?
  /// What it held, in bytes.
  let bytes: Int
  /// What all connections together may hold, in bytes.
  let maxBytes: Int
}

/// Logs the connections that the host closes because a client uses too much.
///
/// Rationale: clients decide how many these are. Beyond some lines a minute they are only counted,
/// and the next line has their number.
final class EndedConnections: Sendable {
  private struct State {
    /// When the minute began in which lines are counted.
    var begin: Duration?
    var lines = 0
    var unlogged = 0
  }

  /// The largest number of lines in a period.
  static let maxLines = 10
  static let period = Duration.seconds(60)

  private let now: @Sendable () -> Duration
  private let log: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - now: a clock that only runs forward.
  ///   - log: takes a line. It must not block.
  init(
    now: @escaping @Sendable () -> Duration = { ClockSample.steady() },
    log: @escaping @Sendable (String) -> Void
  ) {
    (self.now, self.log) = (now, log)
  }

  /// Logs a connection that ``ReadAheadBudget`` has ended, or counts it. Any thread.
  func add(_ connection: EndedConnection) {
    add(
      connection.peer,
      reason: "it had sent \(connection.bytes) bytes ahead of its requests or events. All clients "
        + "together may send \(connection.maxBytes) bytes ahead.")
  }

  /// Logs a connection, or counts it. Any thread.
  /// - Parameters:
  ///   - peer: the client's address, if it has one.
  ///   - reason: why it was closed, as a clause with a full stop.
  func add(_ peer: String?, reason: String) {
    let moment = now()
    let unlogged = state.withLock { state -> Int? in
      if state.begin.map({ moment - $0 >= Self.period }) ?? true {
        (state.begin, state.lines) = (moment, 0)
      }
      guard state.lines < Self.maxLines else {
        state.unlogged += 1
        return nil
      }
      state.lines += 1
      defer { state.unlogged = 0 }
      return state.unlogged
    }
    guard let unlogged else { return }
    let line = "The connection of \(peer ?? "a client") was closed: \(reason)"
    log(unlogged == 0 ? line : line + " \(unlogged) more were closed before it.")
  }
}
