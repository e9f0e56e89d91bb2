internal import AgentStore

/// Brings a subscription that is behind to where the bus is, from the log.
///
/// It reads on only while there is room, so a slow consumer costs no memory.
struct EventFeed: Sendable {
  private static let largestPage = 512
  /// How long to wait after a read that failed.
  private static let pauseAfterFailure = Duration.milliseconds(200)

  let reader: EventLogReader
  let subscription: EventSubscription
  let pause: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - since: first the events from this moment on that are up to where the subscription starts.
  ///   - goLive: is told how far the log was read; returns whether that is as far as the bus.
  func run(since: Int64?, _ goLive: @Sendable (UInt64) -> Bool) async {
    if let since { await bringPast(since) }
    let size = min(Self.largestPage, subscription.capacity)
    var place = EventLogReader.Place(position: subscription.reached)
    while await hasRoom() {
      do {
        let page = try await reader.page(place, size: size)
        place = page.next
        subscription.fill(page.events, reached: place.position)
        if page.isLast, goLive(place.position) { return }
      } catch {
        guard await isWorthAnotherTry(after: error) else { return }
      }
    }
  }

  private func bringPast(_ since: Int64) async {
    let start = subscription.reached
    var pages: AsyncMapSequence<EventPages, [Event]>.Iterator?
    while await hasRoom() {
      do {
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

  /// Waits a moment, unless the store is closed.
  private func isWorthAnotherTry(after error: any Error) async -> Bool {
    if (error as? StoreError)?.code == .closed { return false }
    try? await pause(Self.pauseAfterFailure)
    return true
  }

  /// Waits until there is room; false when the subscription has ended.
  private func hasRoom() async -> Bool {
    await withCheckedContinuation { continuation in
      subscription.whenRoom { continuation.resume() }
    }
    return !subscription.isClosed
  }
}
