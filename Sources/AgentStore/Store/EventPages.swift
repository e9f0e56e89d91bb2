extension Store {
  /// The events of a selection, page by page, each read in a transaction of its own. Nobody waits
  /// for a slow reader. It sees events that are stored meanwhile when their place in the
  /// selection's order is still to come.
  public func pages(of selection: EventSelection, size: Int = 1000) -> EventPages {
    EventPages(store: self, selection: selection, size: size)
  }
}

/// A selection of the log, read page by page. Pages are never empty.
public struct EventPages: AsyncSequence, Sendable {
  let store: any Store
  let selection: EventSelection
  let size: Int

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(store: store, next: selection, size: size)
  }

  /// Reads the next page when it is asked for one. Throws what the store throws, and
  /// `CancellationError` between two pages.
  public struct Iterator: AsyncIteratorProtocol {
    let store: any Store
    var next: EventSelection?
    let size: Int

    /// The next page, or nil after the last.
    public mutating func next() async throws -> [StoredEvent]? {
      while let selection = next {
        try Task.checkCancellation()
        let page = try await store.read { [size] in try $0.events.page(selection, size: size) }
        next = page.next
        // A page may have looked at much and chosen nothing; the next one goes on.
        if !page.events.isEmpty { return page.events }
      }
      return nil
    }
  }
}
