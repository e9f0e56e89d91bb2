/// Decodes one node. It has no path, because an error computes its path from the node.
struct JSONNodeDecoder: Decoder {
  let node: JSONNode
  let information: [CodingUserInfoKey: any Sendable]

  var userInfo: [CodingUserInfoKey: Any] { information }

  var codingPath: [any CodingKey] { node.pointer.tokens.map(JSONCodingKey.init(token:)) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard node.kind == .object else {
      throw mismatch(JSONObject.self, expected: "an object", found: .object)
    }
    return KeyedDecodingContainer(JSONKeyedDecoding(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard node.kind == .array else {
      throw mismatch([JSONValue].self, expected: "an array", found: .array)
    }
    return JSONUnkeyedDecoding(decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    JSONSingleDecoding(decoder: self)
  }

  /// The decoder of another node with the same information.
  func at(_ node: JSONNode) -> JSONNodeDecoder {
    JSONNodeDecoder(node: node, information: information)
  }
}

extension JSONNodeDecoder {
  func decodeBool(_ type: Bool.Type) throws -> Bool {
    guard let value = node.bool else {
      throw mismatch(type, expected: "true or false", found: .bool)
    }
    return value
  }

  func decodeString(_ type: String.Type) throws -> String {
    guard let value = node.string else {
      throw mismatch(type, expected: "a string", found: .string)
    }
    return value
  }

  func decodeFloat<T: BinaryFloatingPoint>(_ type: T.Type) throws -> T {
    guard let value = node.double else {
      throw mismatch(type, expected: "a number", found: .number)
    }
    let result = T(value)
    guard result.isFinite else {
      throw corrupted(
        "expected a number up to \(T.greatestFiniteMagnitude), found \(node.summary).")
    }
    return result
  }

  func decodeInteger<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    if let int = node.int, let value = T(exactly: int) { return value }
    guard let number = node.number else {
      throw mismatch(type, expected: "an integer", found: .number)
    }
    if let value: T = number.integer() { return value }
    guard number.isInteger else { throw mismatch(type, expected: "an integer", found: .number) }
    throw corrupted("expected an integer from \(T.min) to \(T.max), found \(node.summary).")
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if type == JSONValue.self, let value = node.value as? T { return value }
    do {
      return try T(from: self)
    } catch let error as DecodingError {
      throw error
    } catch let error as JSONDecodingError {
      throw error
    } catch {
      throw JSONDecodingError(error, at: node)
    }
  }

  private func mismatch(_ type: any Any.Type, expected: String, found kind: JSONKind)
    -> DecodingError
  {
    .typeMismatch(
      type,
      .init(codingPath: codingPath, debugDescription: node.mismatch(expected, fits: kind)))
  }

  private func corrupted(_ message: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
  }
}
