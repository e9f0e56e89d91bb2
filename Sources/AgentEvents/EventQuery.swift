internal import AgentJSON

/// Which events a subscription asks for: a type and `field:value` filters, all of which must hold.
///
/// A subset of the Pipes language of Intelie LIVE: `host_metrics source:machine` means events of
/// type `host_metrics` whose `source` is `machine`; `*` is any type, `field:*` any value. A value
/// with blanks or signs stands in double quotes. Comparison ignores case. Anything else of the
/// language is refused with its position, never read as something different.
public struct EventQuery: Sendable, Hashable {
  /// One `field:value` term.
  public struct Filter: Sendable, Hashable {
    /// The field's name; dots lead into nested objects.
    public let field: String
    /// The text to equal, or nil for `field:*`, which asks only that the field is there.
    public let value: String?
  }

  /// The text as it was written.
  public let text: String
  /// The event type asked for; nil for every type.
  public let type: String?
  /// The terms besides the type.
  public let filters: [Filter]

  private let loweredType: String?
  private let loweredValues: [String?]

  /// Reads a query; the error says at which character it stops being one.
  public init(parsing text: String) throws(EventQueryError) {
    var reader = EventQueryReader(text)
    let terms = try reader.terms()
    self.text = text
    var type: String?
    var filters: [Filter] = []
    for term in terms {
      switch term {
      case .everything: break
      case .type(let name): type = name
      case .filter(let filter): filters.append(filter)
      }
    }
    self.type = type
    self.filters = filters
    loweredType = type?.lowercased()
    loweredValues = filters.map { $0.value?.lowercased() }
  }

  /// Whether an event is one of those asked for.
  public func matches(_ event: Event) -> Bool {
    if let type, type != event.type, loweredType != event.type.lowercased() { return false }
    for (filter, wanted) in zip(filters, loweredValues) {
      guard let found = event.field(filter.field) else { return false }
      guard let wanted else { continue }
      if !Self.equal(found, wanted) { return false }
    }
    return true
  }

  private static func equal(_ value: JSONValue, _ wanted: String) -> Bool {
    switch value {
    case .string(let text): text.lowercased() == wanted
    case .number(let number):
      if let other = JSONNumber(parsing: wanted) { number == other } else { false }
    case .bool(let flag): wanted == (flag ? "true" : "false")
    case .null: wanted == "null"
    case .array(let elements): elements.contains { equal($0, wanted) }
    case .object: false
    }
  }
}

/// Where and why a text isn't a query that this version can run.
public struct EventQueryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The character that was the last straw, counted from 1.
  public let column: Int
  /// A sentence: what is wrong there and what may stand there.
  public let message: String
  public var description: String { "query, column \(column): \(message)" }
}
