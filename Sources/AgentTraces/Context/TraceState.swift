/// Entries of other tracing systems that travel with a trace: keys and values, the newest first.
public struct TraceState: Sendable, Hashable, CustomStringConvertible {
  /// The entries as they are sent on, without blanks and empty entries.
  public let description: String

  // W3C allows 32 entries, and asks every program to pass on at least 512 characters.
  private static let most = 32
  private static let longest = 512

  /// Reads a `tracestate` header. The caller joins several headers with commas. Returns `nil` if
  /// the text is invalid, empty, or longer than 512 bytes.
  public init?(_ text: String) {
    // Blanks around entries are removed below, so the text may be longer than the result.
    guard text.utf8.count <= Self.longest * 2 else { return nil }
    var keys: Set<ArraySlice<UInt8>> = []
    var members: [String] = []
    let parts = Array(text.utf8).split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    for part in parts {
      let member = Self.trimmed(part)
      if member.isEmpty { continue }
      guard let equals = member.firstIndex(of: UInt8(ascii: "=")),
        Self.isKey(member[..<equals]), Self.isValue(member[(equals + 1)...]),
        keys.insert(member[..<equals]).inserted
      else { return nil }
      members.append(String(decoding: member, as: UTF8.self))
    }
    let joined = members.joined(separator: ",")
    guard !members.isEmpty, members.count <= Self.most, joined.utf8.count <= Self.longest else {
      return nil
    }
    description = joined
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var bytes = bytes
    while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return bytes
  }

  /// Whether a key has the form `name` or `tenant@system`.
  private static func isKey(_ key: ArraySlice<UInt8>) -> Bool {
    let parts = key.split(
      separator: UInt8(ascii: "@"), maxSplits: 2, omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last else { return false }
    switch parts.count {
    case 1: return isWord(first, longest: 256, digitFirst: false)
    case 2:
      return isWord(first, longest: 241, digitFirst: true)
        && isWord(last, longest: 14, digitFirst: false)
    default: return false
    }
  }

  private static func isWord(
    _ word: ArraySlice<UInt8>, longest: Int, digitFirst: Bool
  ) -> Bool {
    guard let first = word.first, word.count <= longest,
      isLetter(first) || digitFirst && isDigit(first)
    else { return false }
    return word.allSatisfy { isLetter($0) || isDigit($0) || "_-*/".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Whether a value is printable ASCII without `,` and `=`. The caller has removed blanks at its
  /// end.
  private static func isValue(_ value: ArraySlice<UInt8>) -> Bool {
    value.count <= 256 && !value.isEmpty
      && value.allSatisfy {
        (0x20...0x7e).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=")
      }
  }
}
