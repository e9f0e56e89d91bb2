internal import AgentJSON
internal import AgentModules
internal import AgentQueries
internal import JSONSchema

/// Texts of the query language in a module's settings: what is wrong with them is said before
/// anything runs, like any other mistake.
extension SettingsReader {
  /// Reports texts that aren't what `schema` marks them as: `"pipesQuery": true` and so on.
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

  /// Warns of what is null in each row: in a query, and in a condition that stands beside one.
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

  /// What the plan of a query says that people should know; nil for what is none.
  private static func notes(on text: String) -> [String]? {
    (try? QueryPlan(Query(parsing: text)))?.notes
  }
}

/// What a schema may say of a text.
private enum QueryMark: String, CaseIterable {
  case query = "pipesQuery"
  case filter = "pipesFilter"
  case condition = "pipesCondition"
  case span = "pipesSpan"

  /// What is said where the text itself mustn't be shown.
  var expected: String {
    switch self {
    case .query: "this is no query."
    case .filter: "this is no filter of events."
    case .condition: "this is no condition of the query language."
    case .span: "this is no span."
    }
  }

  /// What is wrong with a text, and where in it; nil when nothing is.
  func fault(in text: String) -> String? {
    do throws(any Error) {
      switch self {
      case .query: _ = try QueryPlan(Query(parsing: text))
      case .filter: _ = try EventFilter(parsing: text)
      case .condition:
        // As the pipe in which it will stand; on a line of its own, so that the place is its own.
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
