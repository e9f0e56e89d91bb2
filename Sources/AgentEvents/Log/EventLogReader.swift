internal import AgentQueries
internal import AgentStore

/// Reads the events of a query from the log, page by page.
struct EventLogReader: Sendable {
  let store: any Store
  let query: EventQuery
  /// The maximum size of a page. Nil means the store's own limit.
  var pageBytes: Int?

  /// A place in the log to continue from.
  struct Place: Sendable {
    /// All events up to this position were read.
    var position: UInt64
    /// The continuation within a selection. Nil means its start.
    var selection: EventSelection?
  }

  /// A page of events in the order of the log.
  struct Page: Sendable {
    var events: [Event]
    var next: Place
    /// Whether no event followed at the time of the read.
    var isLast: Bool
  }

  /// Reads the events after a place in the log.
  func page(_ place: Place, size: Int) async throws -> Page {
    let read = try await store.read { [query, pageBytes] snapshot in
      // The last position comes from the same read as the page. If no event follows, all positions
      // up to it were read, even if the newest events were removed or don't match.
      let last = try snapshot.events.lastPosition()
      var selection =
        place.selection ?? EventSelection(after: Int64(clamping: place.position))
      selection.pageBytes = pageBytes
      let page = try snapshot.events.page(
        Self.narrowed(selection, to: query, in: snapshot.events), size: size)
      return (page: page, last: last)
    }
    // Decoded here and not in the read, so that others get the reader's thread.
    let (page, last) = read
    let seen = page.events.last?.position ?? Int64(clamping: place.position)
    return Page(
      events: Self.delivered(page.events, query),
      next: Place(
        position: UInt64(clamping: page.next == nil ? last : seen), selection: page.next),
      isLast: page.next == nil)
  }

  /// Returns events since a moment, up to a position, in the order of their timestamps. Events that
  /// are never delivered are left out.
  func since(
    _ timestamp: Int64, through position: UInt64
  ) async throws -> AsyncMapSequence<EventPages, [Event]> {
    var selection = EventSelection(
      through: Int64(clamping: position), from: timestamp, order: .timestamp)
    selection.pageBytes = pageBytes
    return try await pages(of: selection, includesUndelivered: false)
  }

  /// Returns rows since a moment, up to a position, in the order of their timestamps.
  func rows(
    since timestamp: Int64, before end: Int64?, through position: UInt64, _ needs: FieldNeeds,
    on executor: QueryExecutor, account: StreamAccount? = nil
  ) async throws -> EventRowPages {
    var selection = EventSelection(
      through: Int64(clamping: position), from: timestamp, before: end, order: .timestamp)
    selection.pageBytes = account.map { _ in StreamBudget.maxQueue }
    return EventRowPages(
      store: store, selection: try await narrowed(selection),
      decoder: EventRowDecoder(query.filter, needs), executor: executor, account: account)
  }

  /// Returns events since a moment, the newest first, including those that are never delivered.
  /// - Parameter limit: the number of events that the caller needs. The first page has one more,
  ///   which shows whether events are left out.
  func newestFirst(
    since: Int64?, limit: Int
  ) async throws -> AsyncMapSequence<EventPages, [Event]> {
    try await pages(
      of: EventSelection(from: since, order: .timestamp, isBackwards: true),
      firstSize: min(max(0, limit), Self.pageSize - 1) + 1, includesUndelivered: true)
  }

  /// The number of events of a page.
  private static let pageSize = 1000

  private func pages(
    of selection: EventSelection, firstSize: Int = pageSize, includesUndelivered: Bool
  ) async throws -> AsyncMapSequence<EventPages, [Event]> {
    let query = query
    let pages = store.pages(
      of: try await narrowed(selection), size: Self.pageSize, firstSize: firstSize)
    return pages.map { rows in
      includesUndelivered ? Self.events(rows, query) { _ in true } : Self.delivered(rows, query)
    }
  }

  private func narrowed(_ selection: EventSelection) async throws -> EventSelection {
    try await store.read { [query] in try Self.narrowed(selection, to: query, in: $0.events) }
  }

  /// Removes types that a query can't match, so that the log isn't read for them. Queries ignore
  /// the case of types, so the log's own names are looked up.
  private static func narrowed(
    _ selection: EventSelection, to query: EventQuery, in log: any EventReader
  ) throws -> EventSelection {
    guard let wanted = query.filter.requirements.types else { return selection }
    var selection = selection
    selection.types = try log.types(spelledLike: wanted)
    return selection
  }

  private static func delivered(_ stored: [StoredEvent], _ query: EventQuery) -> [Event] {
    events(stored, query) { !$0.modifiers.skipsRealtime }
  }

  private static func events(
    _ stored: [StoredEvent], _ query: EventQuery, where isWanted: (EventDraft) -> Bool
  ) -> [Event] {
    stored.compactMap { row in
      // The types alone select too much, so the filter decides.
      guard let draft = EventDraft(row), isWanted(draft), query.filter.matches(draft.object) else {
        return nil
      }
      return Event(draft, position: UInt64(clamping: row.position), isStored: true)
    }
  }
}
