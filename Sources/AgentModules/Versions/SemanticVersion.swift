internal import AgentText

/// A version as semver.org defines it: `1.2.3-beta.1+build`. `1` and `1.2` are read as `1.0.0` and
/// `1.2.0`.
public struct SemanticVersion: Sendable, Comparable, Hashable, CustomStringConvertible {
  /// The number that grows with each incompatible change.
  public let major: Int
  /// The number that grows with each addition.
  public let minor: Int
  /// The number that grows with each repair.
  public let patch: Int
  /// The identifiers after `-`. A version with identifiers precedes the same version without.
  public let prerelease: [String]
  /// The text after `+`. Comparisons ignore it.
  public let build: String

  /// Creates a version from its numbers.
  public init(major: Int, minor: Int = 0, patch: Int = 0, prerelease: [String] = []) {
    self.major = major
    self.minor = minor
    self.patch = patch
    self.prerelease = prerelease
    self.build = ""
  }

  /// Reads a version. Returns `nil` if the text isn't one.
  public init?(_ text: String) {
    guard let parsed = PartialVersion(text) else { return nil }
    self.major = parsed.numbers[0]
    self.minor = parsed.numbers.count > 1 ? parsed.numbers[1] : 0
    self.patch = parsed.numbers.count > 2 ? parsed.numbers[2] : 0
    self.prerelease = parsed.prerelease
    self.build = parsed.build
  }

  /// The version of this host.
  public static let host = SemanticVersion(major: 0, minor: 1, patch: 0)

  public var description: String {
    var text = "\(major).\(minor).\(patch)"
    if !prerelease.isEmpty { text += "-" + prerelease.joined(separator: ".") }
    if !build.isEmpty { text += "+" + build }
    return text
  }

  public static func == (a: Self, b: Self) -> Bool {
    (a.major, a.minor, a.patch) == (b.major, b.minor, b.patch) && a.prerelease == b.prerelease
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(major)
    hasher.combine(minor)
    hasher.combine(patch)
    hasher.combine(prerelease)
  }

  public static func < (a: Self, b: Self) -> Bool {
    if (a.major, a.minor, a.patch) != (b.major, b.minor, b.patch) {
      return (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
    }
    if a.prerelease.isEmpty || b.prerelease.isEmpty {
      return !a.prerelease.isEmpty && b.prerelease.isEmpty
    }
    for (x, y) in zip(a.prerelease, b.prerelease) where x != y {
      return identifier(x, precedes: y)
    }
    return a.prerelease.count < b.prerelease.count
  }

  /// Returns the order of two identifiers. Numbers precede words and compare as numbers
  /// (semver.org, 11.4).
  private static func identifier(_ x: String, precedes y: String) -> Bool {
    switch (Int(x), Int(y)) {
    case (let x?, let y?): x < y
    case (_?, nil): true
    case (nil, _?): false
    case (nil, nil): x < y
    }
  }
}

/// One to three numbers, as in ranges. Missing ones are open.
struct PartialVersion {
  let numbers: [Int]
  let prerelease: [String]
  let build: String

  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    guard let versioned = parts.first else { return nil }
    let core = versioned.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let dotted = core.first else { return nil }
    let fields = dotted.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { Self.number($0) }
    guard (1...3).contains(numbers.count), numbers.count == fields.count else { return nil }
    self.numbers = numbers
    self.prerelease =
      core.count > 1 ? core[1].split(separator: "." as Character).map { String($0) } : []
    self.build = parts.count > 1 ? String(parts[1]) : ""
    if core.count > 1, prerelease.isEmpty || !Self.isTag(core[1]) { return nil }
    if parts.count > 1, !Self.isTag(parts[1]) || parts[1].isEmpty { return nil }
  }

  /// Reads a number of at most nine digits, so that its successor doesn't overflow.
  private static func number(_ text: some StringProtocol) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(text)
  }

  private static func isTag(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy {
      $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
  }

  var version: SemanticVersion {
    SemanticVersion(
      major: numbers[0], minor: numbers.count > 1 ? numbers[1] : 0,
      patch: numbers.count > 2 ? numbers[2] : 0,
      prerelease: prerelease)
  }
}
