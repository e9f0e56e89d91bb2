/// The batches of a subscription, for one `for try await` loop.
public struct EventSubscription: AsyncSequence, Sendable {
  /// Some events, oldest first.
  public typealias Element = EventBatch

  private let batches: AsyncThrowingStream<EventBatch, any Error>
  private let acknowledge: @Sendable (Int) -> Void

  /// Makes a subscription from a stream of batches. `acknowledge` is called with the number of
  /// events that have been processed.
  public init(
    batches: AsyncThrowingStream<EventBatch, any Error>,
    acknowledge: @escaping @Sendable (Int) -> Void
  ) {
    self.batches = batches
    self.acknowledge = acknowledge
  }

  /// Begins the loop.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: batches.makeAsyncIterator(), acknowledge: acknowledge)
  }

  /// Takes batches, and acknowledges each one when the next is requested.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncThrowingStream<EventBatch, any Error>.AsyncIterator
    let acknowledge: @Sendable (Int) -> Void
    var pending = 0

    /// The next batch; `nil` once the host has closed the subscription regularly. Throws
    /// `CancellationError` when this task is cancelled, and the host's error when it refuses the
    /// subscription.
    public mutating func next() async throws -> EventBatch? {
      if pending > 0 { acknowledge(pending) }
      pending = 0
      guard let batch = try await base.next() else {
        try Task.checkCancellation()
        return nil
      }
      pending = batch.events.count
      return batch
    }
  }
}
