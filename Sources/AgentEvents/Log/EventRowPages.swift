internal import AgentJSON
internal import AgentQueries
internal import AgentStore

/// The rows of a query's past in pages. A row has only the parts of an event that the query reads.
///
/// While the query processes a page, the next one is decoded and the one after it is read.
struct EventRowPages: AsyncSequence {
  /// A row, and its event's time in Unix milliseconds.
  struct Row: Sendable {
    let object: JSONObject
    let timestamp: Int64
  }

  typealias Element = [Row]

  let store: any Store
  let selection: EventSelection
  let decoder: EventRowDecoder
  let executor: QueryExecutor
  /// The number of events in a page. It is large, because each page begins with a search for its
  /// place.
  var size = 4000
  /// The account of the client's stream that the rows are for. It counts the pages in progress.
  var account: StreamAccount?

  func makeAsyncIterator() -> Iterator {
    Iterator(of: self)
  }

  struct Iterator: AsyncIteratorProtocol {
    private typealias PageRead = Task<EventPage?, any Error>

    private let pages: EventRowPages
    private var decoding: Task<Page?, any Error>
    private var pageRead: PageRead
    /// The size of the page that the query processes, in bytes.
    private var current = 0

    init(of pages: EventRowPages) {
      self.pages = pages
      // A task of its own doesn't inherit the executor.
      let first = PageRead(executorPreference: pages.executor) {
        try await pages.page(pages.selection)
      }
      // Three pages are in progress at a time: one is processed, one decoded, one read.
      decoding = Task(executorPreference: pages.executor) { try await pages.rows(first.value) }
      pageRead = PageRead(executorPreference: pages.executor) {
        try await pages.page(first.value?.next)
      }
    }

    /// Returns the next page, which may be empty, and nil after the last one.
    mutating func next() async throws -> [Row]? {
      pages.account?.hold(-current)
      current = 0
      guard let page = try await decoding.value else { return nil }
      current = page.bytes
      try Task.checkCancellation()
      let following = pageRead
      decoding = Task(executorPreference: pages.executor) { [pages] in
        try await pages.rows(following.value)
      }
      pageRead = PageRead(executorPreference: pages.executor) { [pages] in
        try await pages.page(following.value?.next)
      }
      return page.rows
    }
  }

  /// The rows of a page, and its size in the log.
  private struct Page: Sendable {
    let rows: [Row]
    let bytes: Int
  }

  private func page(_ selection: EventSelection?) async throws -> EventPage? {
    guard let selection else { return nil }
    await account?.budget.beginRead()
    defer { account?.budget.endRead() }
    let page = try await store.read { [size] in try $0.events.page(selection, size: size) }
    account?.hold(Self.bytes(of: page))
    return page
  }

  private func rows(_ page: EventPage?) -> Page? {
    page.map { Page(rows: $0.events.compactMap(decoder.row), bytes: Self.bytes(of: $0)) }
  }

  private static func bytes(of page: EventPage) -> Int {
    page.events.reduce(0) { $0 + $1.body.count }
  }
}

/// Decodes rows from stored events.
struct EventRowDecoder: Sendable {
  /// The filter. Nil means that the selection of the log covers it completely.
  private let filter: EventFilter?
  private let isWhole: Bool
  private let needsType: Bool
  private let needsSource: Bool
  /// The members to read from the text. Type, source and timestamp are columns of the log.
  private let members: [String]

  init(_ filter: EventFilter, _ needs: FieldNeeds) {
    self.filter = filter.requirements.areTypesAlone ? nil : filter
    switch needs {
    case .all:
      isWhole = true
      needsType = false
      needsSource = false
      members = []
    case .only(let names):
      isWhole = false
      needsType = names.contains("type")
      needsSource = names.contains("source")
      members = names.subtracting(["type", "source", "timestamp"]).sorted()
    }
  }

  /// Returns the row of an event. Nil means that the filter doesn't match, or that the text isn't
  /// an object, so the log is damaged.
  func row(_ stored: StoredEvent) -> EventRowPages.Row? {
    guard let object = object(of: stored), filter?.matches(object) != false else { return nil }
    return EventRowPages.Row(object: object, timestamp: stored.timestamp)
  }

  private func object(of stored: StoredEvent) -> JSONObject? {
    if isWhole { return root(of: stored)?.value.object }
    var object = JSONObject()
    object.reserveCapacity(members.count + 3)
    if needsType { object["type"] = .string(stored.type) }
    object["timestamp"] = JSONValue(stored.timestamp)
    if needsSource { object["source"] = .string(stored.source) }
    // The columns are enough, so the text isn't parsed.
    guard !members.isEmpty else { return object }
    guard let root = root(of: stored), root.kind == .object else { return nil }
    for name in members {
      if let node = root[name] { object[name] = node.value }
    }
    return object
  }

  private func root(of stored: StoredEvent) -> JSONNode? {
    try? JSONDocument(parsing: stored.body, limits: EventDraft.storedLimits).root
  }
}
