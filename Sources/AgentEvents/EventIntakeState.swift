/// Where an intake is: one batch is being stored at most, what follows is gathered.
struct EventIntakeState {
  /// What was added and isn't being stored yet.
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

  /// Whether the reader shall wait.
  func isFull(_ options: EventIntake.Options) -> Bool {
    gathered.count >= options.events || bytes >= options.bytes
  }

  mutating func add(_ draft: EventDraft, bytes: Int) {
    guard failure == nil else { return }
    gathered.append(draft)
    self.bytes += bytes
  }

  /// What is to be stored now.
  mutating func next() -> [EventDraft]? {
    guard !isStoring, failure == nil, !gathered.isEmpty else { return nil }
    defer { (gathered, bytes) = ([], 0) }
    isStoring = true
    return gathered
  }

  /// A batch of so many was stored or can't be; what is to be stored next, and who is to be woken.
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
