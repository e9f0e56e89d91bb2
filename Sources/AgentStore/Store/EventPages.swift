extension Store {
  /// Returns the events of a selection page by page. Each page is read in its own transaction, so a
  /// slow reader blocks nothing. Events that are stored in the meantime are included if their
  /// position in the selection's order hasn't been passed.
  /// - Parameters:
  ///   - size: the maximum number of events of a page.
  ///   - firstSize: that of the first page, for a caller that may need no other. `nil` means `size`.
  public func pages(
    of selection: EventSelection, size: Int = 1000, firstSize: Int? = nil
  ) -> EventPages {
    EventPages(store: self, selection: selection, firstSize: firstSize ?? size, size: size)
  }
}

/// The pages of a selection of events. No page is empty.
public struct EventPages: AsyncSequence, Sendable {
  let store: any Store
  let selection: EventSelection
  let firstSize: Int
  let size: Int

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(store: store, next: selection, nextSize: firstSize, size: size)
  }

  /// Reads each page when it is requested. It throws errors of the store, and `CancellationError`
  /// between two pages.
  public struct Iterator: AsyncIteratorProtocol {
    let store: any Store
    var next: EventSelection?
    var nextSize: Int
    let size: Int

    /// Returns the next page, or `nil` after the last one.
    public mutating func next() async throws -> [StoredEvent]? {
      while let selection = next {
        try Task.checkCancellation()
        let page = try await store.read { [nextSize] in
          try $0.events.page(selection, size: nextSize)
        }
        next = page.next
        nextSize = size
        // A page may be empty after it has examined many events. Then the next one is read.
        if !page.events.isEmpty { return page.events }
      }
      return nil
    }
  }
}
