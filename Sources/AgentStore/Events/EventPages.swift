extension Store {
  /// The events of a selection, page by page, each read in a transaction of its own: however long
  /// the reader takes, nobody waits for it. Events stored meanwhile are seen when their place in
  /// the selection's order is still to come.
  /// - Parameter readsAhead: the next page is read while the reader deals with one: for those who
  ///   want them all.
  public func pages(
    of selection: EventSelection, size: Int = 1000, readsAhead: Bool = false
  ) -> EventPages {
    EventPages(store: self, selection: selection, size: size, readsAhead: readsAhead)
  }
}

/// A selection of the log, read page by page. Pages are never empty.
public struct EventPages: AsyncSequence, Sendable {
  let store: any Store
  let selection: EventSelection
  let size: Int
  let readsAhead: Bool

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(store: store, next: selection, size: size, readsAhead: readsAhead)
  }

  /// Reads the next page when it is asked for one, or while the one before is dealt with.
  public struct Iterator: AsyncIteratorProtocol {
    let store: any Store
    var next: EventSelection?
    let size: Int
    let readsAhead: Bool
    private var ahead: Task<EventPage, any Error>?

    init(store: any Store, next: EventSelection?, size: Int, readsAhead: Bool) {
      self.store = store
      self.next = next
      self.size = size
      self.readsAhead = readsAhead
    }

    /// The next page, or nil after the last.
    public mutating func next() async throws -> [StoredEvent]? {
      while let selection = next {
        try Task.checkCancellation()
        // After an error the page is read anew.
        let page =
          if let ahead = ahead.take() {
            try await ahead.value
          } else {
            try await Self.read(selection, size, from: store)
          }
        next = page.next
        if readsAhead { ahead = page.next.map(readAhead) }
        if !page.events.isEmpty { return page.events }
      }
      return nil
    }

    private func readAhead(_ selection: EventSelection) -> Task<EventPage, any Error> {
      Task { [store, size] in try await Self.read(selection, size, from: store) }
    }

    private static func read(
      _ selection: EventSelection, _ size: Int, from store: any Store
    ) async throws -> EventPage {
      try await store.read { try $0.events.page(selection, size: size) }
    }
  }
}
