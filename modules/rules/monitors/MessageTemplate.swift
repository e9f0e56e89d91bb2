import AgentKit

/// A text with places for the columns of a row: `{pair}: {count} trades`.
///
/// `{{` and `}}` stand for the signs themselves. Behind a colon stands a format: see ``ValueFormat``.
struct MessageTemplate: Sendable {
  private enum Part: Sendable {
    case text(String)
    case column(String, ValueFormat)
  }

  /// A text, and the columns that the row didn't have.
  struct Rendered: Equatable {
    var text = ""
    var unknown: [String] = []
  }

  private var parts: [Part] = []

  /// Reads a template. `name` is the key that holds it, for messages.
  init(_ template: String, named name: String) throws {
    var text = ""
    var column: String?
    var rest = Array(template)[...]
    while let character = rest.popFirst() {
      switch (character, column) {
      case ("{", nil) where rest.first == "{", ("}", nil) where rest.first == "}":
        text.append(character)
        rest = rest.dropFirst()
      case ("{", nil):
        if !text.isEmpty { parts.append(.text(text)) }
        text = ""
        column = ""
      case ("}", let inside?):
        parts.append(try Self.column(inside, name))
        column = nil
      case ("}", nil):
        throw Self.error(name, "a } without a {. Write }} for the sign itself.")
      case ("{", .some):
        throw Self.error(name, "a { inside of {…}. Write {{ for the sign itself.")
      case (_, let inside?): column = inside + String(character)
      case (_, nil): text.append(character)
      }
    }
    if let column { throw Self.error(name, "{\(column) has no }. Write {{ for the sign itself.") }
    if !text.isEmpty { parts.append(.text(text)) }
  }

  private static func column(_ inside: String, _ name: String) throws -> Part {
    let pieces = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let column = String(pieces[0]).trimmed
    guard !column.isEmpty else {
      throw error(name, "{\(inside)} names no column. Write {{ for the sign itself.")
    }
    guard pieces.count == 2 else { return .column(column, .plain) }
    guard let format = ValueFormat(String(pieces[1]).trimmed) else {
      throw error(
        name,
        "{\(inside)} has no format that is known here. Known: .0 to .9 for decimals, date, time "
          + "and duration.")
    }
    return .column(column, format)
  }

  private static func error(_ name: String, _ what: String) -> ModuleError {
    ModuleError(.invalidSettings, "\(name): \(what)")
  }

  /// The columns that it names.
  var columns: [String] {
    parts.compactMap { if case .column(let name, _) = $0 { name } else { nil } }
  }

  /// The text for a row. A column that the row doesn't have is shown as `{name?}`.
  func render(_ row: JSONObject) -> Rendered {
    var rendered = Rendered()
    for part in parts {
      switch part {
      case .text(let text): rendered.text += text
      case .column(let name, let format):
        if let value = row.field(name) {
          rendered.text += format.text(of: value)
        } else {
          rendered.text += "{\(name)?}"
          rendered.unknown.append(name)
        }
      }
    }
    return rendered
  }
}

extension String {
  var trimmed: String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
