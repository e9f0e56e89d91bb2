internal import AgentEvents
internal import AgentLogging
internal import AgentSettings
internal import AgentStore
internal import AgentSystem
internal import Synchronization

/// How much room the database has left before its limit, and what events give up for it.
///
/// Rationale: events are the one noun that is meant to be thrown away, and any number of types may be
/// within their own limits and fill the file together. Tasks, alerts and the audit log would then
/// find no room, so the oldest events of the largest types go first.
struct StorageBudget: Equatable {
  /// Above this percentage of the limit events are removed.
  static let high: Int64 = 90
  /// They are removed down to this percentage, so that the next round doesn't begin at once.
  static let low: Int64 = 85
  /// Above this percentage health says that room is short.
  static let alarming: Int64 = 95

  /// The most bytes that the file takes.
  let limit: Int64
  /// Bytes in use: gaps within the file can be used again.
  let used: Int64

  init(limit: Int64, used: Int64) {
    (self.limit, self.used) = (limit, used)
  }

  init(limit: Int64, _ figures: StoreFigures) {
    let pages = max(0, figures.pages &- figures.freePages)
    // The numbers come from a file that may be damaged: an overflow counts as full.
    let (bytes, overflow) = pages.multipliedReportingOverflow(by: figures.pageBytes)
    self.init(limit: limit, used: overflow ? .max : bytes)
  }

  /// The bytes to give up; 0 while there is room.
  var excess: Int64 {
    used > percent(Self.high) ? used.subtracting(percent(Self.low)) : 0
  }

  var isAlarming: Bool { used > percent(Self.alarming) }

  private func percent(_ percent: Int64) -> Int64 { (limit / 100).multiplied(percent) }

  /// The size down to which the largest are cut, so that all of them together give up the excess:
  /// small ones keep what they have.
  /// - Parameter sizes: bytes of JSON of each type. A file needs more than that for them, so it
  ///   gives back more.
  /// - Returns: nil while nothing is to be given up.
  func cap(of sizes: [Int64]) -> Int64? {
    guard excess > 0 else { return nil }
    let total = sizes.reduce(Int64(0)) { $0.adding(max(0, $1)) }
    return FairCap.of(sizes, total: total.subtracting(excess)) ?? 0
  }
}

extension HostApplication {
  /// The most bytes that one type of event may have now; nil while there is room. Logs a warning
  /// when it removes events.
  func eventCap() async throws -> Int64? {
    guard let room = try await room(), room.excess > 0 else { return nil }
    // Only with an excess: the sizes of the types are a query of their own.
    let cap = room.cap(of: try await events.types().map(\.bytes))
    log.log(
      .warning,
      "The database has \(room.used >> 20) MB of \(room.limit >> 20) MB (store.max_bytes): old events "
        + "of the largest types are removed, although their own limits would keep them.")
    return cap
  }

  /// Reports in health that room is short although old events were removed.
  func sayWhereRoomIsShort() async throws {
    guard let room = try await room(), room.isAlarming else { return }
    let problem =
      "The database has \(room.used >> 20) MB of \(room.limit >> 20) MB, and old events are removed "
      + "already. Raise store.max_bytes, or keep less: tasks.keep_days, notifications.keep_days."
    state.withLock { $0.retentionProblem = problem }
  }

  private func room() async throws -> StorageBudget? {
    guard let store = state.withLock({ $0.store }) else { return nil }
    return StorageBudget(limit: Int64(settings.store.maxBytes), try await store.figures())
  }
}
