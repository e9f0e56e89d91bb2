/// The location of a value in JSON, as the keys and indices that lead to it (RFC 6901).
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// Keys and indices from the root down, unescaped.
  public let tokens: [String]

  /// The whole document.
  public static let root = JSONPointer(tokens: [])

  /// Creates a pointer from unescaped keys and indices.
  public init(tokens: [String]) {
    self.tokens = tokens
  }

  /// Reads a pointer such as `/processes/x/window` or `/a~1b/0`. The empty text is the root.
  public init(_ text: String) throws(JSONPointerError) {
    guard !text.isEmpty else {
      tokens = []
      return
    }
    guard text.utf8.first == UInt8(ascii: "/") else {
      throw JSONPointerError(
        code: .missingSlash, text: text, message: "A JSON pointer starts with \"/\", not \(text).")
    }
    var tokens: [String] = []
    for part in text.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      tokens.append(try Self.unescaped(part, in: text))
    }
    self.tokens = tokens
  }

  /// Returns the pointer to the member or element `token` of this location.
  public func appending(_ token: String) -> JSONPointer {
    JSONPointer(tokens: tokens + [token])
  }

  /// Returns the pointer to element `index` of this location.
  public func appending(_ index: Int) -> JSONPointer {
    appending(String(index))
  }

  /// The pointer to the container of this location. `nil` for the root.
  public var parent: JSONPointer? {
    tokens.isEmpty ? nil : JSONPointer(tokens: Array(tokens.dropLast()))
  }

  /// The last key or index. `nil` for the root.
  public var last: String? { tokens.last }

  /// The text by RFC 6901: `/processes/x/window`.
  public var description: String {
    var bytes: [UInt8] = []
    for token in tokens {
      bytes.append(UInt8(ascii: "/"))
      for byte in token.utf8 {
        switch byte {
        case UInt8(ascii: "~"): bytes.append(contentsOf: "~0".utf8)
        case UInt8(ascii: "/"): bytes.append(contentsOf: "~1".utf8)
        default: bytes.append(byte)
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The path in the notation for people: `processes.x.window`, `list[3].name`, `"a.b".c`. Empty
  /// for the root.
  public var dotted: String {
    var text = ""
    for token in tokens {
      if Self.index(token) != nil {
        text += "[\(token)]"
      } else {
        let plain = !token.isEmpty && token.utf8.allSatisfy { $0 >= 0x80 || $0.isPlainInPaths }
        text += (text.isEmpty ? "" : ".") + (plain ? token : JSONValue.string(token).text())
      }
    }
    return text
  }
}

extension JSONPointer {
  /// Returns the index in a token: digits without a leading zero, as RFC 6901 requires.
  static func index(_ token: String) -> Int? {
    guard let first = token.utf8.first, token.utf8.allSatisfy(\.isDigit) else { return nil }
    return first == .zero && token.utf8.count > 1 ? nil : Int(token)
  }

  private static func unescaped(
    _ part: Substring.UTF8View.SubSequence, in text: String
  ) throws(JSONPointerError) -> String {
    var bytes: [UInt8] = []
    var rest = part[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
      default:
        throw JSONPointerError(
          code: .invalidEscape, text: text,
          message: "In the JSON pointer \(text), \"~\" must be followed by 0 (for ~) or 1 (for /).")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether a key with this byte needs no quotes in a dotted path.
  fileprivate var isPlainInPaths: Bool {
    self > .space && self != 0x7F && self != .point && self != .quote && self != .openBracket
      && self != .closeBracket && self != .backslash
  }
}

/// The reason why a text isn't a JSON pointer.
public struct JSONPointerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case missingSlash, invalidEscape
  }

  /// The kind of error, for programs.
  public let code: Code
  /// The text that was read.
  public let text: String
  /// A sentence with the problem and its remedy.
  public let message: String

  /// The same as ``message``.
  public var description: String { message }
}
