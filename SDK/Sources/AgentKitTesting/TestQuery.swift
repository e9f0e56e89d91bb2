internal import AgentKit

/// The query language as far as a test needs it: words that must all hold; a word is an event type
/// or `field:value`.
struct TestQuery: Sendable {
  private enum Filter: Sendable {
    case type(String)
    case field(String, String)
  }

  private let filters: [Filter]

  init(_ text: String) throws(ModuleError) {
    var filters: [Filter] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      switch (parts.first.map(String.init), parts.count) {
      case (let type?, 1): filters.append(.type(type))
      case ("type"?, 2): filters.append(.type(String(parts[1])))
      case (let field?, 2) where !field.isEmpty: filters.append(.field(field, String(parts[1])))
      default: throw ModuleError(.invalidArgument, "The query can't be read at \"\(word)\".")
      }
    }
    self.filters = filters
  }

  func matches(_ event: Event) -> Bool {
    filters.allSatisfy { filter in
      switch filter {
      case .type(let type): event.type == type || type == "*"
      case .field("source", let value): event.source == value
      case .field(let path, let value): event[path].map { Self.text($0) == value } ?? false
      }
    }
  }

  private static func text(_ value: JSONValue) -> String {
    value.string ?? value.text()
  }
}
