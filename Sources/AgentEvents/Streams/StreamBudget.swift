internal import DequeModule
internal import Synchronization

/// Bounds what the streams of all clients hold together, or all subscriptions of one worker, and how
/// many of them read the log at a time. Safe from every thread.
///
/// A stream whose client doesn't read holds its text and what waits behind it. If all streams hold
/// too much, no stream reads on, and those that have waited for their clients are ended, the
/// largest first. After these, the streams of the slowest clients are ended.
///
/// Rationale: each stream has a bound of its own, but a client may open hundreds. Reading for all
/// of them at once would also take the readers of the database and the threads of all requests.
public final class StreamBudget: Sendable {
  private struct Entry {
    /// What waits for the stream, in bytes.
    var waiting = 0
    /// What its client hasn't taken yet, in bytes.
    var writing = 0
    /// When the client took something last. Nil means that it has taken everything.
    var since: Duration?
    /// When the client began to take what it hasn't taken as a whole, and what it took since then.
    var began: Duration?
    var taken = 0
    /// Whether its connection was ended.
    var isEnded = false
    let end: @Sendable () -> Void

    var bytes: Int { waiting + writing }

    /// The bytes a second that the client takes.
    func rate(at now: Duration) -> Double {
      let span = (now - (began ?? now)).components
      let seconds = Double(span.seconds) + Double(span.attoseconds) / 1e18
      return seconds > 0 ? Double(taken) / seconds : .infinity
    }
  }

  /// A permit to make a large answer. It is over with ``end()`` or the release of this object.
  public final class Permit: Sendable {
    private let budget: StreamBudget
    private let isOver = Atomic(false)

    fileprivate init(_ budget: StreamBudget) { self.budget = budget }

    deinit { end() }

    /// Ends the turn. Calls after the first have no effect.
    public func end() {
      if !isOver.exchange(true, ordering: .relaxed) { budget.endRead() }
    }
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// The sum of the entries.
    var bytes = 0
    var reads = 0
    var readers: Deque<CheckedContinuation<Void, Never>> = []
    var isWatched = false
  }

  /// The limit of one stream's queue, in bytes. A single event may be larger.
  static let maxQueue = 1 << 20
  /// What the subscriptions of one worker may hold together, in bytes.
  public static let maxWorkerBytes = 64 << 20
  /// What subscriptions without waiting events may hold beyond that, so that one that isn't read
  /// doesn't silence the others of its worker.
  static let reserve = 16 << 20

  /// The holders of the accounts.
  enum Use {
    /// For streams. One that isn't read is ended if all hold too much.
    case streams
    /// For subscriptions of one worker. Events that don't fit are handled by their overflow policy.
    case subscriptions
  }

  let use: Use
  private let maxBytes: Int
  private let maxReads: Int
  private let pause: @Sendable (Duration) async throws -> Void
  private let now: @Sendable () -> Duration
  private let state = Mutex(State())

  /// A stream is ended only after its client has taken nothing for this time. One that merely was
  /// about to read isn't.
  private static let patience = Duration.seconds(2)
  /// A stream whose client takes something is ended only if it has taken less than ``slowest`` bytes
  /// a second for this time.
  private static let trial = Duration.seconds(10)
  private static let slowest = 64 << 10

  /// - Parameters:
  ///   - use: what the accounts are for.
  ///   - maxBytes: the limit of all accounts together.
  ///   - maxReads: how many streams may read the log at a time.
  ///   - pause: waits for a duration.
  ///   - now: a clock that only runs forward.
  init(
    for use: Use = .streams, maxBytes: Int = 64 << 20, maxReads: Int = 2,
    pause: @escaping @Sendable (Duration) async throws -> Void,
    now: @escaping @Sendable () -> Duration
  ) {
    self.use = use
    (self.maxBytes, self.maxReads) = (maxBytes, maxReads)
    (self.pause, self.now) = (pause, now)
  }

  /// What all streams hold, and the limit, in bytes.
  public var held: (bytes: Int, maxBytes: Int) { (state.withLock { $0.bytes }, maxBytes) }

  /// Enters a stream.
  /// - Parameter end: ends the stream's connection. It must not block.
  public func account(_ end: @escaping @Sendable () -> Void) -> StreamAccount {
    let account = StreamAccount(self)
    state.withLock { $0.entries[ObjectIdentifier(account)] = Entry(end: end) }
    return account
  }

  /// Enters a subscription of a worker.
  public func account() -> StreamAccount { account {} }

  /// What all accounts hold, in bytes.
  public var bytes: Int { state.withLock { $0.bytes } }

  // MARK: Of an account

  /// Whether accounts that hold something may hold more.
  var hasSpace: Bool { bytes < maxBytes }

  /// The maximum size of the queue of an account, in bytes.
  /// - Parameter usesReserve: whether it may use the reserve although events wait in it.
  func queueBytes(holding counted: Int, usesReserve: Bool) -> Int {
    guard use == .subscriptions else { return Self.maxQueue }
    let limit = counted > 0 && !usesReserve ? maxBytes : maxBytes + Self.reserve
    return counted + max(0, limit - bytes)
  }

  func hold(_ change: Int, for account: ObjectIdentifier) {
    update(account) { $0.waiting += change }
  }

  func write(_ bytes: Int, for account: ObjectIdentifier) {
    let moment = now()
    update(account) { entry in
      if entry.began == nil { entry.taken = 0 }
      entry.began = bytes > 0 ? entry.began ?? moment : nil
      entry.taken += max(0, entry.writing - bytes)
      entry.writing = bytes
      // An end that was begun stays: such an entry has none any more.
      entry.since = bytes > 0 && !entry.isEnded ? moment : nil
    }
  }

  func close(_ account: ObjectIdentifier) {
    let readers = state.withLock { state in
      state.bytes -= state.entries.removeValue(forKey: account)?.bytes ?? 0
      return admitted(&state)
    }
    for reader in readers { reader.resume() }
  }

  private func update(_ account: ObjectIdentifier, _ change: (inout Entry) -> Void) {
    let (readers, isNews) = state.withLock {
      state -> ([CheckedContinuation<Void, Never>], Bool) in
      // A stream that has ended may still drop what it held.
      guard var entry = state.entries[account] else {
        return ([], false)
      }
      state.bytes -= entry.bytes
      change(&entry)
      state.bytes += entry.bytes
      state.entries[account] = entry
      return (admitted(&state), mustWatch(&state))
    }
    for reader in readers { reader.resume() }
    if isNews { watch() }
  }

  // MARK: Reading

  /// Waits until a stream may read a page of the log. ``endRead()`` must follow.
  func beginRead() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let readers = state.withLock { state in
        state.readers.append(continuation)
        return admitted(&state)
      }
      for reader in readers { reader.resume() }
    }
  }

  /// Waits until a large answer may be made, in turn with the pages of streams.
  public func permit() async -> Permit {
    await beginRead()
    return Permit(self)
  }

  func endRead() {
    let readers = state.withLock { state in
      state.reads -= 1
      return admitted(&state)
    }
    for reader in readers { reader.resume() }
  }

  /// Returns the readers that may read now, the longest waiting first.
  private func admitted(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
    var readers: [CheckedContinuation<Void, Never>] = []
    // The reserve of subscriptions is for those that are read.
    let limit = use == .subscriptions ? maxBytes + Self.reserve : maxBytes
    while state.bytes <= limit, state.reads < maxReads, let reader = state.readers.popFirst() {
      state.reads += 1
      readers.append(reader)
    }
    return readers
  }

  // MARK: Ending

  private func mustWatch(_ state: inout State) -> Bool {
    // A subscription isn't ended: nothing is sent for it, and a worker takes its events.
    guard use == .streams, state.bytes > maxBytes, !state.isWatched else { return false }
    state.isWatched = true
    return true
  }

  private func watch() {
    Task { [weak self, pause] in
      try? await pause(Self.patience)
      self?.enforce()
    }
  }

  /// Ends streams until the others fit: first those whose clients don't read, then the slowest.
  private func enforce() {
    let moment = now()
    let latest = moment - Self.patience
    let (ends, goesOn) = state.withLock { state -> ([@Sendable () -> Void], Bool) in
      state.isWatched = false
      // Where readers wait, one that takes nothing hinders them, so several are let in again.
      var excess = state.bytes - (state.readers.isEmpty ? maxBytes : maxBytes / 2)
      var ends: [@Sendable () -> Void] = []
      let stalled = state.entries.filter { $0.value.since.map { $0 <= latest } ?? false }
      let slow = state.entries.filter { account, entry in
        stalled[account] == nil && entry.since != nil
          && (entry.began.map { $0 <= moment - Self.trial } ?? false)
          && entry.rate(at: moment) < Double(Self.slowest)
      }
      let order =
        stalled.sorted { $0.value.bytes > $1.value.bytes }
        + slow.sorted { $0.value.rate(at: moment) < $1.value.rate(at: moment) }
      for (account, entry) in order {
        guard excess > 0 else { break }
        excess -= entry.bytes
        // It is ended once. Its bytes count until its connection releases them.
        state.entries[account]?.since = nil
        state.entries[account]?.isEnded = true
        ends.append(entry.end)
      }
      return (ends, mustWatch(&state))
    }
    for end in ends { end() }
    if goesOn { watch() }
  }
}
