/// Checks names of requests and settings. They are compared, listed and written into lines of text,
/// so control characters are refused.
package enum NameCheck {
  /// Returns the problem with a name as a sentence, or `nil`.
  /// - Parameters:
  ///   - place: the member that contains the name, such as `concurrency_key`.
  ///   - most: the largest length in characters.
  package static func problem(
    _ name: String?, at place: String, most: Int = TaskBounds.name.upperBound
  )
    -> String?
  {
    guard let name else { return nil }
    if name.isEmpty { return "\(place) can't be empty. Leave it out, or give it a name." }
    // The limit is in bytes, four for each character. A character with hundreds of combining marks
    // counts as one, so a limit in characters wouldn't limit the size.
    if name.utf8.count > 4 * most { return "\(place) is too long: it may have \(most) characters." }
    guard
      let found = name.unicodeScalars.first(where: { $0.properties.generalCategory == .control })
    else { return nil }
    let number = String(found.value, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
    return "\(place) has the control character U+\(padded). Leave that out."
  }

  /// Returns the problems with the names of a draft.
  static func problems(_ draft: TaskDraft) -> [String] {
    let definition = draft.definition
    let single: [(String?, String, Int)] = [
      (draft.name, "name", 500), (draft.type, "type", 200),
      (definition.concurrencyKey, "concurrency_key", 200), (definition.bot, "bot", 200),
      (definition.botType, "bot_type", 200), (definition.capability, "capability", 200),
      (definition.subsystem, "subsystem", 200),
    ]
    let tags = definition.tags.enumerated().map { (Optional($1), "tags[\($0)]", 200) }
    let secrets = definition.secrets.enumerated().map { (Optional($1), "secrets[\($0)]", 200) }
    return (single + tags + secrets).compactMap { problem($0.0, at: $0.1, most: $0.2) }
  }
}
