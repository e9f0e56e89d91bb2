/// The batches of a subscription, for one `for try await` loop.
public struct EventSubscription: AsyncSequence, Sendable {
  /// Some events, oldest first.
  public typealias Element = EventBatch

  private let batches: AsyncThrowingStream<EventBatch, any Error>
  private let acknowledge: @Sendable (Int) -> Void

  /// Makes a subscription from a stream of batches; `acknowledge` is told how many events have
  /// been dealt with.
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

  /// Takes batches and says when they are dealt with.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncThrowingStream<EventBatch, any Error>.AsyncIterator
    let acknowledge: @Sendable (Int) -> Void
    var pending = 0

    /// The next batch. `nil` once the host has closed the subscription in good order; throws
    /// `CancellationError` when this task is cancelled, and what the host says when it refuses.
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
