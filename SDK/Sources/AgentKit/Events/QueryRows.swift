/// One row of a query's results.
public struct QueryRow: Sendable, Hashable {
  /// The time of the row, in Unix milliseconds: that of its event, or when its window was emitted.
  public var timestamp: Int64
  /// The columns by their names; `timestamp` is one of them.
  public var values: JSONObject

  /// Makes a row.
  public init(timestamp: Int64, values: JSONObject) {
    self.timestamp = timestamp
    self.values = values
  }

  /// A column by its name.
  public subscript(column: String) -> JSONValue? { values[column] }
}

/// The rows of a query that runs in the host, for one `for try await` loop.
///
/// The query starts with the loop and ends with it. It also ends when its span is over. The host
/// computes no faster than the loop takes rows, and reads events that came meanwhile from its log.
/// All other messages of the query are in ``messages``.
public struct QueryRows: AsyncSequence, Sendable {
  /// A row.
  public typealias Element = QueryRow

  /// All messages of the query, including its rows.
  public let messages: QueryMessages

  /// Begins the loop.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(messages: messages.makeAsyncIterator())
  }

  /// Takes rows.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var messages: QueryMessages.AsyncIterator
    var rows: ArraySlice<QueryRow> = []

    /// The next row; `nil` at the end of the query. Throws the host's error when it refuses the
    /// query (with the place in the query's text), and `CancellationError` when this task is
    /// cancelled.
    public mutating func next() async throws -> QueryRow? {
      while true {
        if let row = rows.popFirst() { return row }
        guard let message = try await messages.next() else { return nil }
        if case .rows(let batch) = message { rows = batch.rows[...] }
      }
    }
  }
}

/// The messages of a query in order, for one `for try await` loop.
public struct QueryMessages: AsyncSequence, Sendable {
  /// A message.
  public typealias Element = QueryMessage

  let services: any HostServices
  let request: EventRequest

  /// Begins the loop, and with it the query.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(state: .asked(services, request))
  }

  /// Takes messages.
  public struct AsyncIterator: AsyncIteratorProtocol {
    enum State {
      case asked(any HostServices, EventRequest)
      case running(EventSubscription.AsyncIterator)
    }

    var state: State
    var waiting: ArraySlice<Event> = []

    /// The next message; `nil` at the end of the query.
    public mutating func next() async throws -> QueryMessage? {
      while true {
        while let event = waiting.popFirst() {
          if let message = QueryMessage(event) { return message }
        }
        guard let batch = try await nextBatch() else { return nil }
        waiting = batch.events[...]
      }
    }

    private mutating func nextBatch() async throws -> EventBatch? {
      var batches =
        switch state {
        case .asked(let services, let request):
          try services.subscribe(request).makeAsyncIterator()
        case .running(let batches): batches
        }
      defer { state = .running(batches) }
      return try await batches.next()
    }
  }
}
