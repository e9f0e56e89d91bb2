internal import AgentSystem
internal import HTTPTypes
internal import Synchronization

/// Bounds what the bodies of requests hold, of all clients together, from their first byte until
/// their requests are answered. Safe from every thread.
///
/// A body that doesn't fit waits. While one waits, the clients that send the slowest are
/// disconnected, and one that has waited too long is refused. A principal has half of the budget,
/// so that it can't keep others out. The oldest body always goes on, so that one that is larger
/// than the budget is received alone.
///
/// Rationale: each body has a limit of its own, but a client may open hundreds of connections and
/// send each body slowly.
final class BodyBudget: Sendable {
  private struct Entry {
    let owner: String
    let end: @Sendable () -> Void
    var bytes = 0
    /// The bytes that have arrived since the last look at the bodies.
    var recent = 0
    /// Whether the last look has seen it.
    var wasThere = false
    /// Whether the client still sends.
    var isSending = true
    /// Whether its client was disconnected.
    var isEnded = false
    var wait: Wait?
  }

  private struct Wait {
    let bytes: Int
    let since: Duration
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    /// The number of the oldest entry, or the next number.
    var oldest = 1
    var owners: [String: Int] = [:]
    var bytes = 0
    var last = 0
    var waiting = 0
    var isWatched = false
  }

  /// The limit, in bytes.
  let maxBytes: Int
  private let pause: @Sendable (Duration) async throws -> Void
  private let now: @Sendable () -> Duration
  private let state = Mutex(State())

  /// The time between two looks at the bodies while one waits.
  static let interval = Duration.seconds(2)
  /// The longest wait of a body.
  static let patience = Duration.seconds(20)
  /// A client that sends faster isn't disconnected, in bytes an interval.
  static let slowest = 128 << 10
  /// A body that holds less isn't disconnected, in bytes. It would make no room.
  static let smallest = 4 << 10

  /// - Parameters:
  ///   - pause: waits for a duration.
  ///   - now: a clock that only runs forward.
  init(
    maxBytes: Int = 64 << 20,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    now: @escaping @Sendable () -> Duration = { ClockSample.steady() }
  ) {
    self.maxBytes = maxBytes
    (self.pause, self.now) = (pause, now)
  }

  /// What the bodies hold now, in bytes.
  var bytes: Int { state.withLock { $0.bytes } }

  /// Enters a body.
  /// - Parameters:
  ///   - owner: the principal that sends it.
  ///   - end: disconnects its client. It must not block.
  func share(of owner: String, end: @escaping @Sendable () -> Void) -> Share {
    let number = state.withLock { state in
      state.last += 1
      state.entries[state.last] = Entry(owner: owner, end: end)
      return state.last
    }
    return Share(self, number)
  }

  /// The part of one body. It counts until ``end()`` or the release of this object.
  final class Share: Sendable {
    private let budget: BodyBudget
    private let number: Int

    fileprivate init(_ budget: BodyBudget, _ number: Int) {
      (self.budget, self.number) = (budget, number)
    }

    deinit { end() }

    /// Counts a piece that has arrived, and waits until there is room for it.
    /// - Throws: a problem if there was none for too long; `CancellationError` if the task is
    ///   cancelled.
    func take(_ bytes: Int) async throws {
      guard budget.takeNow(bytes, for: number) else {
        return try await budget.waitForRoom(bytes, for: number)
      }
    }

    /// Sets what is left of a body whose route reads it in pieces.
    func keep(_ bytes: Int) async throws {
      let more = budget.shrink(to: bytes, for: number)
      if more > 0 { try await take(more) }
    }

    /// The body has arrived. Its client isn't slow any more.
    func received() { budget.received(number) }

    /// The request is answered. Calls after the first have no effect.
    func end() { budget.end(number) }
  }

  // MARK: Bodies

  private func takeNow(_ bytes: Int, for number: Int) -> Bool {
    state.withLock { state in
      guard fits(bytes, of: number, in: state) else { return false }
      add(bytes, to: number, &state)
      return true
    }
  }

  private func waitForRoom(_ bytes: Int, for number: Int) async throws {
    let moment = now()
    let mayGoOn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isNews = state.withLock { state -> Bool? in
          guard state.entries[number] != nil else { return nil }
          state.entries[number]?.wait = Wait(
            bytes: bytes, since: moment, continuation: continuation)
          state.waiting += 1
          return mustWatch(&state)
        }
        // The share has ended meanwhile, and nobody would end this wait.
        guard let isNews else { return continuation.resume(returning: false) }
        if isNews { watch() }
        // It may fit by now, or the task may have been cancelled before there was a wait.
        if Task.isCancelled { giveUp(number) }
        admit()
      }
    } onCancel: {
      giveUp(number)
    }
    if mayGoOn { return }
    try Task.checkCancellation()
    var problem = APIProblem(
      .serviceUnavailable, code: "too_many_bodies",
      message: "The bodies of other requests take all memory for bodies. Send it again later.")
    problem.headers[.retryAfter] = "10"
    throw problem
  }

  private func shrink(to bytes: Int, for number: Int) -> Int {
    let more = state.withLock { state in
      let held = state.entries[number]?.bytes ?? 0
      if bytes < held { add(bytes - held, to: number, &state) }
      return bytes - held
    }
    if more < 0 { admit() }
    return more
  }

  private func received(_ number: Int) {
    state.withLock { $0.entries[number]?.isSending = false }
  }

  private func end(_ number: Int) {
    let wait = state.withLock { state -> Wait? in
      guard let entry = state.entries[number] else { return nil }
      add(-entry.bytes, to: number, &state)
      if entry.wait != nil { state.waiting -= 1 }
      state.entries[number] = nil
      while state.oldest <= state.last, state.entries[state.oldest] == nil { state.oldest += 1 }
      return entry.wait
    }
    // Without its entry nothing else would end the wait.
    wait?.continuation.resume(returning: false)
    admit()
  }

  private func giveUp(_ number: Int) {
    let wait = state.withLock { state in
      let wait = state.entries[number]?.wait.take()
      if wait != nil { state.waiting -= 1 }
      return wait
    }
    wait?.continuation.resume(returning: false)
  }

  // MARK: Room

  private func fits(_ bytes: Int, of number: Int, in state: State) -> Bool {
    guard let entry = state.entries[number], state.oldest != number else { return true }
    return state.bytes + bytes <= maxBytes
      && state.owners[entry.owner, default: 0] + bytes <= maxBytes / 2
  }

  private func add(_ bytes: Int, to number: Int, _ state: inout State) {
    guard let owner = state.entries[number]?.owner else { return }
    state.entries[number]?.bytes += bytes
    state.entries[number]?.recent += max(0, bytes)
    state.bytes += bytes
    let left = state.owners[owner, default: 0] + bytes
    state.owners[owner] = left > 0 ? left : nil
  }

  /// Lets those go on that fit now, the oldest first.
  private func admit() {
    let admitted = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
      guard state.waiting > 0 else { return [] }
      var admitted: [CheckedContinuation<Bool, Never>] = []
      for number in state.entries.keys.sorted() {
        guard let wait = state.entries[number]?.wait, fits(wait.bytes, of: number, in: state) else {
          continue
        }
        state.entries[number]?.wait = nil
        state.waiting -= 1
        add(wait.bytes, to: number, &state)
        admitted.append(wait.continuation)
      }
      return admitted
    }
    for continuation in admitted { continuation.resume(returning: true) }
  }

  // MARK: Slow clients

  private func mustWatch(_ state: inout State) -> Bool {
    guard state.waiting > 0, !state.isWatched else { return false }
    state.isWatched = true
    for number in state.entries.keys.sorted() {
      state.entries[number]?.recent = 0
      state.entries[number]?.wasThere = true
    }
    return true
  }

  private func watch() {
    Task { [weak self, pause] in
      try? await pause(Self.interval)
      self?.enforce()
    }
  }

  /// Disconnects the slowest clients until half of the budget is free, and refuses bodies that have
  /// waited too long.
  private func enforce() {
    let latest = now() - Self.patience
    let done = state.withLock { state in
      let ends = slowest(&state)
      var refused: [CheckedContinuation<Bool, Never>] = []
      for number in state.entries.keys.sorted() {
        guard let wait = state.entries[number]?.wait, wait.since <= latest else { continue }
        state.entries[number]?.wait = nil
        state.waiting -= 1
        refused.append(wait.continuation)
      }
      state.isWatched = false
      return (ends: ends, refused: refused, goesOn: mustWatch(&state))
    }
    for end in done.ends { end() }
    for continuation in done.refused { continuation.resume(returning: false) }
    if done.goesOn { watch() }
  }

  private func slowest(_ state: inout State) -> [@Sendable () -> Void] {
    let slow = state.entries.filter { _, entry in
      entry.wasThere && entry.isSending && !entry.isEnded && entry.wait == nil
        && entry.recent < Self.slowest && entry.bytes >= Self.smallest
    }
    var (bytes, owners) = (state.bytes, state.owners)
    var ends: [@Sendable () -> Void] = []
    for (number, entry) in slow.sorted(by: { $0.value.recent < $1.value.recent }) {
      // A principal that waits for its own half loses as many as make room in that.
      guard bytes > maxBytes / 2 || owners[entry.owner, default: 0] >= maxBytes / 2 else {
        continue
      }
      bytes -= entry.bytes
      owners[entry.owner, default: 0] -= entry.bytes
      // It is ended once. Its bytes count until its request is over.
      state.entries[number]?.isEnded = true
      ends.append(entry.end)
    }
    return ends
  }
}
