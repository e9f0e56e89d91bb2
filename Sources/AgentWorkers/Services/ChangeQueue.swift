internal import AgentSystem
internal import AgentTraces

/// Runs changes of the settings and reloads one after another. Every wait has a time limit.
package actor ChangeQueue {
  /// A change that is being made.
  package struct UnderWay: Sendable, Hashable {
    /// The change in words, such as `a reload`.
    package var what: String
    /// The time when the change began, in Unix milliseconds.
    package var since: Int64
  }

  /// How long a change waits for the changes before it.
  package static let patience = Duration.seconds(60)
  /// How long a change may take after ``patience`` is over. Then it is cancelled, and skips the
  /// steps that it hasn't begun.
  package static let limit = Duration.seconds(220)

  private var last: Task<Void, Never>?
  private var number = 0
  private var begun: (number: Int, change: UnderWay)?
  private let pause: @Sendable (Duration) async throws -> Void
  private let now: @Sendable () -> Int64

  /// - Parameter pause: returns after a duration, and throws if its task is cancelled.
  package init(
    now: @escaping @Sendable () -> Int64 = { Timestamp.now() },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    (self.now, self.pause) = (now, pause)
  }

  /// The change that is being made.
  package var underWay: UnderWay? { begun?.change }

  /// Runs a change when the changes before it are done, and returns its result.
  /// - Parameter what: the change in words. The error messages of changes that wait behind it
  ///   contain this text.
  /// - Throws: the error of the change. `conflict` if the changes before it take too long, so that
  ///   it never begins. `deadlineExceeded` if this change takes too long.
  package func run<Value: Sendable>(
    _ what: String, _ change: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    number += 1
    let own = number
    let before = last
    let answer = FirstAnswer<Result<Value, any Error>>()
    // Rationale: the task doesn't belong to the caller's trace. For example, a port that a change
    // starts runs on after the request, and its later work isn't a part of that request.
    let task = Tracer.$current.withValue(nil) {
      Task {
        await before?.value
        // The change may have been given up while it waited. Then its caller already has an error.
        try Task.checkCancellation()
        self.begin(own, what)
        return try await change()
      }
    }
    // The next change waits for the end of this change, and not for the end of its caller's wait. A
    // change that is overdue may still run, so the changes behind it must wait.
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
    // A change that never began must not clear the entry of another change.
    if begun?.number == own { begun = nil }
  }

  /// Returns the error of a change that is given up because it hasn't begun. Returns nil if it has
  /// begun.
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
