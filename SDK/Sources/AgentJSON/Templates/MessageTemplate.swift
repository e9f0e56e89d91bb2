/// A text with placeholders for the members of an object: `{pair}: {count} trades`.
///
/// `{{` and `}}` represent the braces themselves. A format may follow a colon: `.2` for two
/// decimals, or `date`, `time` and `duration` for milliseconds.
public struct MessageTemplate: Sendable {
  private enum Part: Sendable {
    case text(String)
    case column(String, ValueFormat)
  }

  /// A finished text, and the members that the object lacked.
  public struct Rendered: Equatable, Sendable {
    /// The text.
    public var text: String
    /// The names of the missing members.
    public var unknown: [String]

    /// Creates a finished text.
    public init(text: String = "", unknown: [String] = []) {
      self.text = text
      self.unknown = unknown
    }
  }

  private var parts: [Part] = []

  /// Reads a template.
  public init(parsing template: String) throws(MessageTemplateError) {
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
        parts.append(try Self.column(inside))
        column = nil
      case ("}", nil):
        throw MessageTemplateError("a } without a {. Write }} for the sign itself.")
      case ("{", .some):
        throw MessageTemplateError("a { inside of {…}. Write {{ for the sign itself.")
      case (_, let inside?): column = inside + String(character)
      case (_, nil): text.append(character)
      }
    }
    if let column {
      throw MessageTemplateError("{\(column) has no }. Write {{ for the sign itself.")
    }
    if !text.isEmpty { parts.append(.text(text)) }
  }

  private static func column(_ inside: String) throws(MessageTemplateError) -> Part {
    let pieces = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let column = String(pieces[0]).trimmed
    guard !column.isEmpty else {
      throw MessageTemplateError("{\(inside)} names nothing. Write {{ for the sign itself.")
    }
    guard pieces.count == 2 else { return .column(column, .plain) }
    guard let format = ValueFormat(String(pieces[1]).trimmed) else {
      throw MessageTemplateError(
        "{\(inside)} has no format that is known here. Known: .0 to .9 for decimals, date, time "
          + "and duration.")
    }
    return .column(column, format)
  }

  /// The members that the template names.
  public var columns: [String] {
    parts.compactMap { if case .column(let name, _) = $0 { name } else { nil } }
  }

  /// Returns the text for an object. Paths with dots refer to members of nested objects. A missing
  /// value is shown as `{name?}`.
  public func render(_ row: JSONObject) -> Rendered {
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
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// The reason why a text isn't a template.
public struct MessageTemplateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence for the author of the template.
  public let message: String
  /// The same as ``message``.
  public var description: String { message }

  init(_ message: String) { self.message = message }
}
