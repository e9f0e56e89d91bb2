extension JSONNode {
  /// Creates a `T` from this value through Codable.
  ///
  /// Keys that `T` doesn't use are ignored. An error names the value by its pointer from the
  /// document's root.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws(JSONDecodingError) -> T {
    do {
      return try JSONNodeDecoder(node: self, information: userInfo).decode(type)
    } catch {
      throw JSONDecodingError(error, at: self)
    }
  }
}

extension JSONValue {
  /// Creates a `T` from this value through Codable. Errors have a pointer but no place.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws(JSONDecodingError) -> T {
    try JSONDocument(self).root.decode(type, userInfo: userInfo)
  }
}

extension JSONNode {
  /// A short description of the value, for messages.
  var summary: String {
    switch kind {
    case .array: count == 0 ? "an empty array" : "an array"
    case .object: "an object"
    case .string where range.count > 60: "a long string"
    default: String(decoding: bytes, as: UTF8.self)
    }
  }

  /// `expected an integer, found "60". Remove the quotes.`
  func mismatch(_ expected: String, fits: JSONKind) -> String {
    let inner = string.flatMap { try? JSONValue(parsing: $0).kind }
    let advice =
      if kind == .string, inner == fits, fits != .string {
        " Remove the quotes."
      } else if fits == .string, kind == .number || kind == .bool {
        " Put it in double quotes."
      } else if fits == .array, kind != .null {
        " Put it in brackets."
      } else {
        ""
      }
    return "expected \(expected), found \(summary).\(advice)"
  }
}
