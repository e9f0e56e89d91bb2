/// The state of an intake: at most one batch is being stored, and the next one is gathered.
struct EventIntakeState {
  /// Events that were added and aren't being stored yet.
  private var gathered: [EventDraft] = []
  private var bytes = 0
  private var isStoring = false
  /// How many events are durable.
  private(set) var accepted = 0
  /// Why nothing more is stored.
  private(set) var failure: EventError?
  /// The reader, while it waits.
  var waiter: CheckedContinuation<Void, Never>?

  /// Whether nothing is left to be stored.
  var isIdle: Bool { !isStoring && gathered.isEmpty }

  /// Whether the reader has to wait.
  func isFull(_ options: EventIntake.Options) -> Bool {
    gathered.count >= options.events || bytes >= options.bytes
  }

  mutating func add(_ draft: EventDraft, bytes: Int) {
    // Nothing is stored behind a batch that failed, or the accepted events would have a gap.
    guard failure == nil else { return }
    gathered.append(draft)
    self.bytes += bytes
  }

  /// Takes the batch to store now; nil while one is being stored.
  mutating func next() -> [EventDraft]? {
    guard !isStoring, failure == nil, !gathered.isEmpty else { return nil }
    defer { (gathered, bytes) = ([], 0) }
    isStoring = true
    return gathered
  }

  /// Called when a batch of `count` events was stored or failed.
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
