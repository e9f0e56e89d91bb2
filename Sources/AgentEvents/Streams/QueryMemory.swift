internal import AgentQueries
internal import Synchronization

/// Whom a query belongs to.
public enum QueryOwner: Sendable, Hashable {
  /// The host itself, for the rules of notifications.
  case host
  /// A process of the settings, by its name.
  case process(String)
  /// A client of the API, by a name that differs for each principal.
  case client(String)
}

/// Bounds what all queries of a host hold together: their steps, and the rows that wait for their
/// readers. Safe from every thread.
///
/// When they hold too much, the largest query of the owner that holds the most ends. The host's own
/// queries end last.
///
/// Rationale: each query has a limit of its own, but an owner may run hundreds. The owner counts
/// first, so that somebody with many small queries doesn't end the one large query of another.
public final class QueryMemory: Sendable {
  /// The usual limit in bytes.
  public static let usualLimit = 256 << 20
  /// What a query counts at least, in bytes: its subscription, its tasks and small steps.
  static let leastBytes = 64 << 10

  private struct Entry {
    let owner: QueryOwner
    let end: @Sendable (String) -> Void
    var steps = 0
    var waiting = 0
    /// Why it ends. It counts until it has released what it holds, but ends only once.
    var reason: String?

    var bytes: Int { max(QueryMemory.leastBytes, steps + waiting) }
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var lastNumber = 0
    var bytes = 0
    /// The bytes of the queries that don't end.
    var lasting = 0
  }

  /// The maximum number of bytes of all queries together.
  public let limit: Int
  private let state = Mutex(State())

  init(limit: Int = QueryMemory.usualLimit) { self.limit = limit }

  /// The number of bytes that all queries hold.
  public var bytes: Int { state.withLock { $0.bytes } }

  /// Enters a query.
  /// - Parameter end: ends it with a sentence for its reader. It is called at most once, outside of
  ///   any lock, and must not block.
  func open(
    _ owner: QueryOwner, end: @escaping @Sendable (String) -> Void
  ) -> HeldQuery {
    let entry = Entry(owner: owner, end: end)
    let (number, ended) = state.withLock { state in
      state.lastNumber += 1
      state.entries[state.lastNumber] = entry
      state.bytes += entry.bytes
      state.lasting += entry.bytes
      return (state.lastNumber, choose(&state))
    }
    for entry in ended.values { entry.end(entry.reason ?? "") }
    return HeldQuery(self, number)
  }

  /// Changes what a query holds.
  /// - Parameter endsItself: whether the query ends itself by the returned sentence.
  /// - Returns: why the query ends. Nil means that it may go on.
  func update(
    _ number: Int, endsItself: Bool, _ change: (inout Held) -> Void
  ) -> String? {
    var (ended, reason) = state.withLock { state -> ([Int: Entry], String?) in
      guard var entry = state.entries[number] else { return ([:], nil) }
      let before = entry.bytes
      var held = Held(steps: entry.steps, waiting: entry.waiting)
      change(&held)
      (entry.steps, entry.waiting) = (max(0, held.steps), max(0, held.waiting))
      state.entries[number] = entry
      state.bytes += entry.bytes - before
      if entry.reason == nil { state.lasting += entry.bytes - before }
      let ended = choose(&state)
      return (ended, state.entries[number]?.reason)
    }
    if endsItself { ended[number] = nil }
    for entry in ended.values { entry.end(entry.reason ?? "") }
    return reason
  }

  func close(_ number: Int) {
    state.withLock { state in
      guard let entry = state.entries.removeValue(forKey: number) else { return }
      state.bytes -= entry.bytes
      if entry.reason == nil { state.lasting -= entry.bytes }
    }
  }

  /// What a query holds, in bytes.
  struct Held {
    /// In its steps.
    var steps: Int
    /// In rows that its reader hasn't taken.
    var waiting: Int
  }

  /// Chooses the queries that end, until the others fit.
  private func choose(_ state: inout State) -> [Int: Entry] {
    var chosen: [Int: Entry] = [:]
    while state.lasting > limit, let number = Self.largest(of: state.entries),
      var entry = state.entries[number]
    {
      entry.reason = reason(of: entry)
      state.entries[number] = entry
      state.lasting -= entry.bytes
      chosen[number] = entry
    }
    return chosen
  }

  /// The largest query of the owner that holds the most; the newest of equal ones.
  private static func largest(of entries: [Int: Entry]) -> Int? {
    let lasting = entries.filter { $0.value.reason == nil }
    var sums: [QueryOwner: Int] = [:]
    for entry in lasting.values { sums[entry.owner, default: 0] += entry.bytes }
    // Rules watch over everything else, so they end only when nothing else is left.
    let others = sums.filter { $0.key != .host }
    guard let most = (others.isEmpty ? sums : others).max(by: { $0.value < $1.value }) else {
      return nil
    }
    return lasting.filter { $0.value.owner == most.key }
      .max { ($0.value.bytes, $0.key) < ($1.value.bytes, $1.key) }?.key
  }

  private func reason(of entry: Entry) -> String {
    "All queries of this agent together hold more than \(limit) bytes, which is the limit. This "
      + "one ends, because \(Self.name(entry.owner)) holds the most, and of its queries this one: "
      + "\(entry.bytes) bytes. Run fewer queries at a time, group by fewer values, or write a "
      + "shorter “over”."
  }

  private static func name(_ owner: QueryOwner) -> String {
    switch owner {
    case .host: "the agent"
    case .process(let name): "the process \(name)"
    case .client: "its user or token"
    }
  }
}

/// What one query holds. It counts until ``close()`` or the release of this object.
final class HeldQuery: Sendable {
  private let memory: QueryMemory
  private let number: Int

  init(_ memory: QueryMemory, _ number: Int) {
    (self.memory, self.number) = (memory, number)
  }

  deinit { close() }

  /// Reports the bytes of the query's steps.
  /// - Returns: why the query must end. The caller ends it.
  func holds(_ bytes: Int) -> String? {
    memory.update(number, endsItself: true) { $0.steps = bytes }
  }

  /// Passes messages on. Their rows count until the reader has taken them.
  func pass(
    _ messages: [QueryMessage], to say: (QueryMessage) async throws -> Void
  ) async throws {
    wait(messages.reduce(0) { $0 + $1.textBytes })
    for message in messages {
      try await say(message)
      wait(-message.textBytes)
    }
  }

  private func wait(_ change: Int) {
    guard change != 0 else { return }
    _ = memory.update(number, endsItself: false) { $0.waiting += change }
  }

  func close() { memory.close(number) }
}

extension QueryMessage {
  /// The size of its rows as JSON in bytes.
  fileprivate var textBytes: Int {
    if case .event(let batch) = self { batch.textBytes } else { 0 }
  }
}
