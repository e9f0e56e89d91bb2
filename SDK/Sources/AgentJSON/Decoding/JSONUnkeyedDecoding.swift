/// Decodes the elements of an array, one after another.
struct JSONUnkeyedDecoding: UnkeyedDecodingContainer {
  let decoder: JSONNodeDecoder
  private(set) var currentIndex = 0
  /// The record of the next element.
  private var position: Int

  init(decoder: JSONNodeDecoder) {
    self.decoder = decoder
    position = decoder.node.index + 1
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var count: Int? { decoder.node.count }

  var isAtEnd: Bool { currentIndex >= decoder.node.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, current.isNull else { return false }
    advance()
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try next { try $0.decode(type) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try next { $0 }
  }

  private var current: JSONNode { JSONNode(storage: decoder.node.storage, index: position) }

  private mutating func advance() {
    position = Int(current.record.next)
    currentIndex += 1
  }

  /// Reads the next element; advances only if that succeeds.
  private mutating func next<T>(_ read: (JSONNodeDecoder) throws -> T) throws -> T {
    guard !isAtEnd else {
      let found = "the array has only \(currentIndex)"
      throw DecodingError.valueNotFound(
        T.self,
        .init(codingPath: codingPath, debugDescription: "expected another element; \(found)."))
    }
    let value = try read(decoder.at(current))
    advance()
    return value
  }
}

// What the protocol asks for one type at a time.
extension JSONUnkeyedDecoding {
  mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.decodeBool(type) } }
  mutating func decode(_ type: String.Type) throws -> String {
    try next { try $0.decodeString(type) }
  }
  mutating func decode(_ type: Double.Type) throws -> Double {
    try next { try $0.decodeFloat(type) }
  }
  mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.decodeFloat(type) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.decodeInteger(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.decodeInteger(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 {
    try next { try $0.decodeInteger(type) }
  }
  mutating func decode(_ type: Int32.Type) throws -> Int32 {
    try next { try $0.decodeInteger(type) }
  }
  mutating func decode(_ type: Int64.Type) throws -> Int64 {
    try next { try $0.decodeInteger(type) }
  }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.decodeInteger(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
    try next { try $0.decodeInteger(type) }
  }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
    try next { try $0.decodeInteger(type) }
  }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
    try next { try $0.decodeInteger(type) }
  }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
    try next { try $0.decodeInteger(type) }
  }
}
