internal import AgentKit

/// The part of the query language that tests need: words that must all match. A word is an event
/// type, or `field:value`, where `field:*` matches any value. One of two words joined by `|` must
/// match.
struct TestQuery: Sendable {
  private enum Filter: Sendable {
    case type(String)
    case field(String, String)
  }

  private let alternatives: [[Filter]]

  init(_ text: String) throws(ModuleError) {
    var alternatives: [[Filter]] = []
    for part in text.split(separator: "|", omittingEmptySubsequences: false) {
      alternatives.append(try Self.filters(part))
    }
    self.alternatives = alternatives
  }

  private static func filters(_ text: Substring) throws(ModuleError) -> [Filter] {
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
    return filters
  }

  func matches(_ event: Event) -> Bool {
    alternatives.contains { filters in filters.allSatisfy { Self.matches($0, event) } }
  }

  private static func matches(_ filter: Filter, _ event: Event) -> Bool {
    switch filter {
    case .type(let type): event.type == type || type == "*"
    case .field("source", let value): event.source == value
    case .field(let path, "*"): event[path] != nil
    case .field(let path, let value): event[path].map { text($0) == value } ?? false
    }
  }

  private static func text(_ value: JSONValue) -> String {
    value.string ?? value.text()
  }
}
