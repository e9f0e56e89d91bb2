/// A set of versions: `>=0.1`, `>=1.2 <2`, `^1.2`, `~1.2`, `1.2.3`, `1.2` (any 1.2.x), `*`.
public struct VersionRange: Sendable, Hashable, CustomStringConvertible {
  private enum Bound: Hashable {
    case atLeast(SemanticVersion)
    case above(SemanticVersion)
    case below(SemanticVersion)
    case atMost(SemanticVersion)
    case exactly(SemanticVersion)
  }

  private let bounds: [Bound]
  /// The range as it was written.
  public let description: String

  /// The range of all versions.
  public static let any = VersionRange(bounds: [], description: "*")

  private init(bounds: [Bound], description: String) {
    self.bounds = bounds
    self.description = description
  }

  /// Reads a range. Returns `nil` if the text isn't one.
  public init?(_ text: String) {
    var bounds: [Bound] = []
    let words = Self.words(text)
    guard !words.isEmpty else { return nil }
    for word in words where word != "*" {
      guard let more = Self.bounds(word) else { return nil }
      bounds += more
    }
    self.init(bounds: bounds, description: text)
  }

  /// Returns whether the version lies in the range.
  public func contains(_ version: SemanticVersion) -> Bool {
    bounds.allSatisfy {
      switch $0 {
      case .atLeast(let bound): version >= bound
      case .above(let bound): version > bound
      case .below(let bound): version < bound
      case .atMost(let bound): version <= bound
      case .exactly(let bound): version == bound
      }
    }
  }

  /// Returns the words of a range. An operator may be separated from its version: `>= 1.2`.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
      if let last = words.last, last.allSatisfy({ "<>=^~".contains($0) }) {
        words[words.count - 1] = last + word
      } else {
        words.append(String(word))
      }
    }
    return words
  }

  private static func bounds(_ word: String) -> [Bound]? {
    let sign = word.prefix { "<>=^~".contains($0) }
    guard let partial = PartialVersion(word.dropFirst(sign.count)) else { return nil }
    let version = partial.version
    switch sign {
    case ">=": return [.atLeast(version)]
    case ">": return [.above(version)]
    case "<": return [.below(version)]
    case "<=": return [.atMost(version)]
    case "^": return [.atLeast(version), .below(compatible(version))]
    case "~": return [.atLeast(version), .below(next(after: partial.numbers.prefix(2)))]
    case "", "=":
      if partial.numbers.count == 3 { return [.exactly(version)] }
      return [.atLeast(version), .below(next(after: partial.numbers[...]))]
    default: return nil
    }
  }

  /// Returns the first version that may be incompatible with this one. The leftmost number that
  /// isn't 0 decides.
  private static func compatible(_ version: SemanticVersion) -> SemanticVersion {
    if version.major > 0 { return SemanticVersion(major: version.major + 1) }
    if version.minor > 0 { return SemanticVersion(major: 0, minor: version.minor + 1) }
    return SemanticVersion(major: 0, minor: 0, patch: version.patch + 1)
  }

  private static func next(after numbers: ArraySlice<Int>) -> SemanticVersion {
    var raised = Array(numbers)
    raised[raised.count - 1] += 1
    return SemanticVersion(major: raised[0], minor: raised.count > 1 ? raised[1] : 0)
  }
}
