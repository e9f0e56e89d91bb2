/// A pattern in which `*` is any text and `?` any character, whatever the case.
struct WildcardPattern: Sendable, Hashable {
  /// The characters in lower case; nil stands for `?`.
  private enum Part: Sendable, Hashable {
    case anything
    case one
    case scalar(Unicode.Scalar)
  }

  private let parts: [Part]

  init(_ pattern: String) {
    var parts: [Part] = []
    for scalar in pattern.lowercased().unicodeScalars {
      switch scalar {
      case "*": if parts.last != .anything { parts.append(.anything) }
      case "?": parts.append(.one)
      default: parts.append(.scalar(scalar))
      }
    }
    self.parts = parts
  }

  /// Whether all of `text` is like the pattern. Takes at most the length of the text times that of
  /// the pattern: only the last star is ever tried again.
  func matches(_ text: String) -> Bool {
    let scalars = text.lowercased().unicodeScalars
    var index = scalars.startIndex
    var part = 0
    var star: (part: Int, index: String.UnicodeScalarView.Index)?
    while index < scalars.endIndex {
      if part < parts.count {
        switch parts[part] {
        case .anything:
          star = (part, index)
          part += 1
          continue
        case .scalar(let scalar) where scalar != scalars[index]: break
        case .one, .scalar:
          part += 1
          index = scalars.index(after: index)
          continue
        }
      }
      guard let (starPart, starIndex) = star else { return false }
      let next = scalars.index(after: starIndex)
      star = (starPart, next)
      part = starPart + 1
      index = next
    }
    return parts[part...].allSatisfy { $0 == .anything }
  }
}
