public import AgentJSON

/// Decides whether a refusal names the place of the value that was refused.
public struct RefusedPlace {
  /// The field of the value.
  public let field: SchemaSampler.Field

  public init(_ field: SchemaSampler.Field) { self.field = field }

  /// Whether a problem's path leads to the field, to what it holds, or to what holds it. The root
  /// holds everything, so it is no place.
  public func isNamed(by pointer: JSONPointer) -> Bool {
    !pointer.tokens.isEmpty
      && zip(pointer.tokens, field).allSatisfy { token, key in
        key == token || key == SchemaSampler.item || key == SchemaSampler.anyKey
      }
  }

  /// Whether a refusal of the API (RFC 9457) names the field, by the pointer of a problem or in its
  /// explanation. A body that isn't JSON has no fields, but a line and a column.
  public func isNamed(by refusal: JSONValue) -> Bool {
    let problems = refusal["problems"]?.array ?? []
    let pointers = problems.compactMap { try? JSONPointer($0["pointer"]?.string ?? "") }
    if pointers.contains(where: { isNamed(by: $0) }) { return true }
    let detail = refusal["detail"]?.string ?? ""
    return detail.hasPrefix("The body isn't JSON: line ")
      || names.contains { Self.names($0, detail) }
  }

  /// The names by which a sentence may call the field: its path, those of what holds it, and its key.
  private var names: [String] {
    var paths: [String] = []
    for key in field {
      let holder = paths.last ?? ""
      switch key {
      case SchemaSampler.item: paths.append(holder + "[0]")
      case SchemaSampler.anyKey: paths.append(holder + ".any")
      default: paths.append(holder.isEmpty ? key : "\(holder).\(key)")
      }
    }
    let keys = field.filter { $0 != SchemaSampler.item && $0 != SchemaSampler.anyKey }
    return paths + keys.suffix(1)
  }

  /// Whether a text has a name where it can't be a mere word of a sentence, as in "Leave it out, or
  /// give it a name": in quotes, or as what a sentence is about.
  private static func names(_ name: String, _ text: String) -> Bool {
    text.ranges(of: name).contains { range in
      let (before, after) = (text[..<range.lowerBound], text[range.upperBound...])
      guard !isPart(before.last), before.last != ".", !isPart(after.first) else { return false }
      if !name.allSatisfy(\.isLetter) { return true }
      return before.isEmpty || [". ", ": ", "'s "].contains { before.hasSuffix($0) }
        || before.last == "\"" && after.first == "\""
    }
  }

  private static func isPart(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" } ?? false
  }
}
