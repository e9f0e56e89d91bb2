/// The state of an intake. At most one batch is being stored while the next one is collected.
struct EventIntakeState {
  /// Added events that aren't being stored yet.
  private var gathered: [EventDraft] = []
  private var bytes = 0
  private var isStoring = false
  /// The number of durable events.
  private(set) var accepted = 0
  /// Why nothing more is stored.
  private(set) var failure: EventError?
  /// The waiting reader. Nil means that it doesn't wait.
  var waiter: CheckedContinuation<Void, Never>?

  /// Whether nothing is left to store.
  var isIdle: Bool { !isStoring && gathered.isEmpty }

  /// Returns whether the reader must wait.
  func isFull(_ options: EventIntake.Options) -> Bool {
    gathered.count >= options.events || bytes >= options.bytes
  }

  mutating func add(_ draft: EventDraft, bytes: Int) {
    // No event is stored after a failed batch. Otherwise the accepted events would have a gap.
    guard failure == nil else { return }
    gathered.append(draft)
    self.bytes += bytes
  }

  /// Returns the batch to store now. Nil means that one is being stored already.
  mutating func next() -> [EventDraft]? {
    guard !isStoring, failure == nil, !gathered.isEmpty else { return nil }
    defer { (gathered, bytes) = ([], 0) }
    isStoring = true
    return gathered
  }

  /// Records that a batch of `count` events was stored or failed.
  /// - Returns: the batch to store next, and the reader to wake.
  mutating func stored(
    _ count: Int, _ outcome: Result<[Event], EventError>
  ) -> (next: [EventDraft]?, waiter: CheckedContinuation<Void, Never>?) {
    isStoring = false
    switch outcome {
    case .success: accepted += count
    case .failure(let error):
      failure = error
      (gathered, bytes) = ([], 0)
    }
    return (next(), waiter.take())
  }
}
