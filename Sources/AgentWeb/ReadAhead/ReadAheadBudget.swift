internal import AgentSystem
internal import NIOCore
internal import Synchronization

/// Bounds what all connections of the API and of `events.tcp` hold of what clients have sent ahead:
/// bytes that were read from a socket and that no request or event has taken. Safe from every thread.
///
/// A connection reads while three quarters of the budget aren't used. The rest is for reads that
/// have begun, and for what is left in the socket of a client that closes its side, which must be
/// read at once. What doesn't fit ends the connection that holds the most. If one has waited for
/// its read for some seconds, the largest holders are ended until it may read.
final class ReadAheadBudget: Sendable {
  private struct Entry {
    let peer: @Sendable () -> String?
    let end: @Sendable () -> Void
    let resume: @Sendable () -> Void
    var bytes = 0
    /// Orders connections that hold the same by the time of their last change.
    var change = 0
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    /// The connections that wait for a read, the first first, and since when.
    var waiting: ArraySlice<(number: Int, since: Duration)> = []
    /// The connections that were resumed and haven't read yet. A piece is kept for each of them.
    ///
    /// Rationale: a resumed connection that had to find room again went to the end of those that
    /// wait. While connections came and went, nobody read, and nobody had waited for long.
    var admitted: Set<Int> = []
    var bytes = 0
    var last = 0
    var changes = 0
    var isWatched = false
  }

  /// The limit of all connections together, in bytes.
  static let maxBytes = 32 << 20
  /// How long a connection waits for its read before others are ended for it.
  static let patience = Duration.seconds(5)

  /// The limit, in bytes.
  let maxBytes: Int
  private let pause: @Sendable (Duration) async throws -> Void
  private let now: @Sendable () -> Duration
  private let ended: @Sendable (EndedConnection) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - pause: waits for a duration.
  ///   - now: a clock that only runs forward.
  ///   - ended: called once for each connection that was ended for the others. It must not block.
  init(
    maxBytes: Int = ReadAheadBudget.maxBytes,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    now: @escaping @Sendable () -> Duration = { ClockSample.steady() },
    ended: @escaping @Sendable (EndedConnection) -> Void = { _ in }
  ) {
    self.maxBytes = maxBytes
    (self.pause, self.now) = (pause, now)
    self.ended = ended
  }

  /// What all connections hold now, in bytes.
  var bytes: Int { state.withLock { $0.bytes } }

  /// Enters a connection.
  /// - Parameters:
  ///   - peer: returns the client's address. It must not block.
  ///   - end: disconnects its client. It must not block.
  ///   - resume: is called when a read that had to wait may be tried again. It must not block. A
  ///     piece is kept until ``Share/mayRead()`` or ``Share/releasePiece()`` is called.
  func share(
    of peer: @escaping @Sendable () -> String?, end: @escaping @Sendable () -> Void,
    resume: @escaping @Sendable () -> Void
  ) -> Share {
    let number = state.withLock { state in
      state.last += 1
      state.entries[state.last] = Entry(peer: peer, end: end, resume: resume)
      return state.last
    }
    return Share(self, number)
  }

  /// The part of one connection. It counts until ``end()`` or the release of this object.
  final class Share: Sendable {
    private let budget: ReadAheadBudget
    private let number: Int

    fileprivate init(_ budget: ReadAheadBudget, _ number: Int) {
      (self.budget, self.number) = (budget, number)
    }

    deinit { end() }

    /// Sets what the connection holds, in bytes. May end connections that hold more, or this one.
    func set(_ bytes: Int) { budget.set(bytes, for: number) }

    /// Returns whether the connection may read a piece now. If not, `resume` is called later, and
    /// the first call after that returns true.
    func mayRead() -> Bool { budget.mayRead(number) }

    /// The connection was resumed and doesn't read after all. Others get the piece that was kept.
    func releasePiece() { budget.releasePiece(of: number) }

    /// The connection has ended. Calls after the first have no effect.
    func end() { budget.end(number) }
  }

  // MARK: Connections

  private func set(_ bytes: Int, for number: Int) {
    let acts = state.withLock { state -> [@Sendable () -> Void] in
      guard let held = state.entries[number]?.bytes, held != bytes else { return [] }
      state.changes += 1
      state.entries[number]?.bytes = bytes
      state.entries[number]?.change = state.changes
      state.bytes += bytes - held
      return largest(&state, downTo: maxBytes) + (bytes < held ? admitted(&state) : [])
    }
    for act in acts { act() }
  }

  private func mayRead(_ number: Int) -> Bool {
    let moment = now()
    let (mayRead, isNews) = state.withLock { state in
      guard state.entries[number] != nil else { return (false, false) }
      // It has waited for its turn, so it passes those that wait.
      if state.admitted.remove(number) != nil { return (true, false) }
      // A read that comes later must not overtake those that wait.
      if state.waiting.isEmpty, hasSpace(state) { return (true, false) }
      if !state.waiting.contains(where: { $0.number == number }) {
        state.waiting.append((number, moment))
      }
      defer { state.isWatched = true }
      return (false, !state.isWatched)
    }
    if isNews { watch() }
    return mayRead
  }

  private func releasePiece(of number: Int) {
    let resumed = state.withLock { state in
      state.admitted.remove(number) == nil ? [] : admitted(&state)
    }
    for resume in resumed { resume() }
  }

  private func end(_ number: Int) {
    let resumed = state.withLock { state -> [@Sendable () -> Void] in
      remove(number, &state)
      return admitted(&state)
    }
    for resume in resumed { resume() }
  }

  // MARK: Room

  private func hasSpace(_ state: State) -> Bool {
    let kept = state.admitted.count * ReadAhead.pieceSize
    return state.bytes + kept <= maxBytes / 4 * 3 - ReadAhead.pieceSize
  }

  private func remove(_ number: Int, _ state: inout State) {
    guard let entry = state.entries.removeValue(forKey: number) else { return }
    state.bytes -= entry.bytes
    state.waiting.removeAll { $0.number == number }
    state.admitted.remove(number)
  }

  /// Admits those that may read now, and returns how each is resumed.
  private func admitted(_ state: inout State) -> [@Sendable () -> Void] {
    var resumed: [@Sendable () -> Void] = []
    while hasSpace(state), let first = state.waiting.popFirst() {
      guard let entry = state.entries[first.number] else { continue }
      state.admitted.insert(first.number)
      resumed.append(entry.resume)
    }
    return resumed
  }

  /// Removes the connections that hold the most until the others hold no more than `limit`, and
  /// returns how each is ended.
  private func largest(_ state: inout State, downTo limit: Int) -> [@Sendable () -> Void] {
    guard state.bytes > limit else { return [] }
    var ends: [@Sendable () -> Void] = []
    let byBytes = state.entries.sorted {
      ($1.value.bytes, $0.value.change) < ($0.value.bytes, $1.value.change)
    }
    for (number, entry) in byBytes where state.bytes > limit && entry.bytes > 0 {
      remove(number, &state)
      ends.append { [ended, maxBytes] in
        // The connection has no address after its end.
        let peer = entry.peer()
        entry.end()
        ended(EndedConnection(peer: peer, bytes: entry.bytes, maxBytes: maxBytes))
      }
    }
    return ends
  }

  // MARK: Patience

  private func watch() {
    Task { [weak self, pause] in
      try? await pause(Self.patience)
      self?.enforce()
    }
  }

  private func enforce() {
    let latest = now() - Self.patience
    let (acts, goesOn) = state.withLock { state -> ([@Sendable () -> Void], Bool) in
      // Those with room come first, because no other connection must end for them.
      var acts = admitted(&state)
      if let first = state.waiting.first, first.since <= latest {
        // Half of the budget is made free, so that this isn't done again for each read.
        acts += largest(&state, downTo: maxBytes / 2)
        acts += admitted(&state)
      }
      state.isWatched = !state.waiting.isEmpty
      return (acts, state.isWatched)
    }
    for act in acts { act() }
    if goesOn { watch() }
  }
}
