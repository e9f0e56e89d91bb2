/// Decodes the members of an object.
struct JSONKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: JSONNodeDecoder
  /// The record of each key's value. It is only built for objects that are so large that reading
  /// every key takes longer.
  private let index: [ByteKey: Int]?

  init(decoder: JSONNodeDecoder) {
    self.decoder = decoder
    let members = decoder.node.members
    guard members.count > 32 else {
      index = nil
      return
    }
    var index: [ByteKey: Int] = Dictionary(minimumCapacity: members.count)
    for member in members { index[ByteKey(text: member.key)] = member.value.index }
    self.index = index
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] { decoder.node.members.compactMap { Key(stringValue: $0.key) } }

  func contains(_ key: Key) -> Bool {
    value(of: key) != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try at(key).node.isNull
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try at(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try at(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try at(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    try at(JSONCodingKey.superclass)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try at(key)
  }

  private func value(of key: some CodingKey) -> JSONNode? {
    guard let index else { return decoder.node[key.stringValue] }
    let found = index[ByteKey(text: key.stringValue)]
    return found.map { JSONNode(storage: decoder.node.storage, index: $0) }
  }

  /// The decoder of the member `key`.
  private func at(_ key: some CodingKey) throws -> JSONNodeDecoder {
    guard let node = value(of: key) else {
      let name = JSONValue.string(key.stringValue).text()
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "missing key \(name). Add it."))
    }
    return decoder.at(node)
  }
}

// What the protocol asks for one type at a time.
extension JSONKeyedDecoding {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try at(key).decodeBool(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try at(key).decodeString(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try at(key).decodeFloat(type)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try at(key).decodeFloat(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try at(key).decodeInteger(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try at(key).decodeInteger(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try at(key).decodeInteger(type)
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try at(key).decodeInteger(type)
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try at(key).decodeInteger(type)
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try at(key).decodeInteger(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try at(key).decodeInteger(type)
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try at(key).decodeInteger(type)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try at(key).decodeInteger(type)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try at(key).decodeInteger(type)
  }
}
