internal import AgentSystem
internal import AgentTraces

/// Makes changes of the settings and reloads one after the other, with a limit for every wait.
package actor ChangeQueue {
  /// A change that is being made.
  package struct UnderWay: Sendable, Hashable {
    /// The change in words: `a reload`.
    package var what: String
    /// Since when, in Unix milliseconds.
    package var since: Int64
  }

  /// How long a change waits for those before it.
  package static let patience = Duration.seconds(60)
  /// How long a change may take. Then it is cancelled, and leaves out the steps that it hasn't
  /// begun.
  package static let limit = Duration.seconds(220)

  private var last: Task<Void, Never>?
  private var number = 0
  private var begun: (number: Int, change: UnderWay)?
  private let pause: @Sendable (Duration) async throws -> Void
  private let now: @Sendable () -> Int64

  /// - Parameter pause: returns after a time, and throws when the task is cancelled.
  package init(
    now: @escaping @Sendable () -> Int64 = { Timestamp.now() },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    (self.now, self.pause) = (now, pause)
  }

  /// The change that is being made.
  package var underWay: UnderWay? { begun?.change }

  /// Runs a change once those before it are done.
  /// - Parameter what: the change in words, for the message to those who wait behind it.
  /// - Throws: what the change throws; `conflict` when those before it take too long, so that it
  ///   was never begun; `deadlineExceeded` when it takes too long itself.
  package func run<Value: Sendable>(
    _ what: String, _ change: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    number += 1
    let own = number
    let before = last
    let answer = FirstAnswer<Result<Value, any Error>>()
    // Rationale: apart from the trace of the caller. A port, for example, that a change starts
    // lives on, and its later work is no part of that request.
    let task = Tracer.$current.withValue(nil) {
      Task {
        await before?.value
        // It was given up while it waited, and its caller has an error already.
        try Task.checkCancellation()
        self.begin(own, what)
        return try await change()
      }
    }
    // The end of the change itself and not of its caller's wait: one that is overdue still holds
    // up those behind it.
    last = Task {
      let result = await task.result
      self.end(own)
      answer.give(result)
    }
    let watch = Task {
      try await pause(Self.patience)
      if let refusal = self.refusal(own) {
        task.cancel()
        return answer.give(.failure(refusal))
      }
      try await pause(Self.limit)
      task.cancel()
      answer.give(.failure(Self.overdue(what)))
    }
    defer { watch.cancel() }
    return try await answer.value.get()
  }

  private func begin(_ own: Int, _ what: String) {
    begun = (own, UnderWay(what: what, since: now()))
  }

  private func end(_ own: Int) {
    // One that never began must not clear the entry of another.
    if begun?.number == own { begun = nil }
  }

  /// Why a change that hasn't begun is given up; nil for one that has.
  private func refusal(_ own: Int) -> HostError? {
    guard begun?.number != own else { return nil }
    let what = begun?.change.what ?? "another change"
    let span = begun.map { "\(max(0, now().subtracting($0.change.since)) / 1000) s" } ?? "a while"
    return HostError(
      .conflict,
      "Nothing was changed: \(what) has been under way for \(span). \"agent status\" shows which "
        + "process it waits for.")
  }

  private static func overdue(_ what: String) -> HostError {
    HostError(
      .deadlineExceeded,
      "\(what.prefix(1).uppercased())\(what.dropFirst()) wasn't done within "
        + "\((patience + limit).components.seconds) s. The rest was skipped: "
        + "\"agent status\" shows what runs, \"agent reload\" continues.")
  }
}
