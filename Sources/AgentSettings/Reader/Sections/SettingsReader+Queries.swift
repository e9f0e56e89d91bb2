internal import AgentJSON
internal import AgentModules
internal import AgentQueries
internal import JSONSchema

/// Checks the queries in a module's settings, so that their mistakes are reported before any
/// process runs.
extension SettingsReader {
  /// Reports texts that don't match their mark in `schema`, such as `"pipesQuery": true`.
  mutating func checkQueries(_ node: JSONNode, against schema: Schema, at prefix: [String]) {
    let unknown = unresolved(in: node, at: prefix)
    for mark in QueryMark.allCases {
      for pointer in schema.pointers(marked: mark.rawValue, in: node) {
        guard let value = node.node(at: pointer), let text = value.string,
          !unknown.contains(value.range.lowerBound), let fault = mark.fault(in: text)
        else { continue }
        let tokens = prefix + pointer.tokens
        let isSecret = references.secretPlaces.contains(JSONPointer(tokens: tokens))
        add("invalid_query", at: tokens, message: isSecret ? mark.expected : fault)
      }
    }
    checkColumns(node, schema, at: prefix)
  }

  /// Warns of columns that are null in each row of a query, or of a condition beside a query.
  private mutating func checkColumns(_ node: JSONNode, _ schema: Schema, at prefix: [String]) {
    let conditions = schema.pointers(marked: QueryMark.condition.rawValue, in: node)
    for pointer in schema.pointers(marked: QueryMark.query.rawValue, in: node) {
      guard let text = node.node(at: pointer)?.string, let notes = Self.notes(on: text),
        !references.secretPlaces.contains(JSONPointer(tokens: prefix + pointer.tokens))
      else { continue }
      for note in notes {
        add("query_note", at: prefix + pointer.tokens, message: note, severity: .warning)
      }
      for other in conditions where other.tokens.dropLast() == pointer.tokens.dropLast() {
        guard let condition = node.node(at: other)?.string else { continue }
        let all = Self.notes(on: "\(text)\n=> @filter (\n\(condition)\n)") ?? []
        for note in all.dropFirst(notes.count) {
          add("query_note", at: prefix + other.tokens, message: note, severity: .warning)
        }
      }
    }
  }

  /// Returns the warnings of a query's plan, nil for a text that isn't a query.
  private static func notes(on text: String) -> [String]? {
    (try? QueryPlan(Query(parsing: text)))?.notes
  }
}

/// The marks of a schema for texts of the query language.
private enum QueryMark: String, CaseIterable {
  case query = "pipesQuery"
  case filter = "pipesFilter"
  case condition = "pipesCondition"
  case span = "pipesSpan"

  /// The message in place of one that would show a secret text.
  var expected: String {
    switch self {
    case .query: "this is no query."
    case .filter: "this is no filter of events."
    case .condition: "this is no condition of the query language."
    case .span: "this is no span."
    }
  }

  /// Returns the mistake in a text and its place. Nil means that there is none.
  func fault(in text: String) -> String? {
    do throws(any Error) {
      switch self {
      case .query: _ = try QueryPlan(Query(parsing: text))
      case .filter: _ = try EventFilter(parsing: text)
      case .condition:
        // The text is checked inside the pipe that will hold it. It has a line of its own, so that
        // places in it stay true.
        _ = try QueryPlan(Query(parsing: "* => @filter (\n\(text)\n)"))
      case .span: _ = try QuerySpan(parsing: text)
      }
      return nil
    } catch let error as QueryError {
      let last = max(1, text.utf8.count { $0 == UInt8(ascii: "\n") } + 1)
      let line = self == .condition ? min(max(1, error.place.line - 1), last) : error.place.line
      return "at \(line):\(error.place.column): \(error.message)"
    } catch let error as SpanError {
      return "at \(error.offset + 1): \(error.message)"
    } catch {
      return "\(error)"
    }
  }
}
