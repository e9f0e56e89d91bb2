internal import AgentStore

/// Reads the log for a subscription until it has caught up with the bus.
///
/// It continues only while the queue has space, so that a slow consumer costs little memory.
struct EventFeed: Sendable {
  private static let largestPage = 512
  /// The wait after a failed read.
  private static let pauseAfterFailure = Duration.milliseconds(200)

  let reader: EventLogReader
  let subscription: EventSubscription
  let pause: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - since: if it is set, events since this moment come first, up to the position where the
  ///     subscription starts.
  ///   - goLive: gets the position up to which the log was read. It returns whether that is as far
  ///     as the bus. The bus delivers from then on.
  func run(since: Int64?, _ goLive: @Sendable (UInt64) -> Bool) async {
    if let since { await bringPast(since) }
    // A page beyond the capacity would only wait in the queue.
    let size = min(Self.largestPage, subscription.capacity)
    var place = EventLogReader.Place(position: subscription.reached)
    while await hasSpace() {
      do {
        await beginRead()
        defer { endRead() }
        let page = try await reader.page(place, size: size)
        place = page.next
        subscription.fill(page.events, reached: place.position)
        // Events may have come since the page was read. Then `goLive` returns false and the next
        // page has them.
        if page.isLast, goLive(place.position) { return }
      } catch {
        // The place hasn't changed, so that no event is left out.
        guard await isWorthAnotherTry(after: error) else { return }
      }
    }
  }

  private func bringPast(_ since: Int64) async {
    let start = subscription.reached
    var pages: AsyncMapSequence<EventPages, [Event]>.Iterator?
    while await hasSpace() {
      do {
        await beginRead()
        defer { endRead() }
        if pages == nil {
          pages = try await reader.since(since, through: start).makeAsyncIterator()
        }
        guard let events = try await pages?.next() else { return }
        subscription.fill(events, reached: start)
      } catch {
        guard await isWorthAnotherTry(after: error) else { return }
      }
    }
  }

  /// Waits for the turn of a client's stream. A page is queued before the turn ends, so that it is
  /// counted before the next one is read.
  private func beginRead() async { await subscription.account?.budget.beginRead() }
  private func endRead() { subscription.account?.budget.endRead() }

  /// Waits before another attempt.
  /// - Returns: false if the store is closed.
  private func isWorthAnotherTry(after error: any Error) async -> Bool {
    if (error as? StoreError)?.code == .closed { return false }
    try? await pause(Self.pauseAfterFailure)
    return true
  }

  /// Waits until the queue has space.
  /// - Returns: false if the subscription has ended.
  private func hasSpace() async -> Bool {
    await withCheckedContinuation { continuation in
      subscription.whenSpaceAvailable { continuation.resume() }
    }
    return !subscription.isClosed
  }
}
