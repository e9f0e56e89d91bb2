/// Encodes the members of an object.
struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: JSONSlotEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) {
    set(.null, key)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try at(key).encode(value)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    at(key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    at(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    at(JSONCodingKey.superclass)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    at(key)
  }

  private func set(_ value: JSONValue, _ key: Key) {
    encoder.slot.set(value, forKey: key.stringValue)
  }

  /// The encoder of the member `key`.
  private func at(_ key: some CodingKey) -> JSONSlotEncoder {
    encoder.at(key, slot: encoder.slot.member(key.stringValue))
  }
}

// What the protocol asks for one type at a time.
extension JSONKeyedEncoding {
  func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }
  func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
  func encode(_ value: Double, forKey key: Key) throws { try set(encoder.number(value, key), key) }
  func encode(_ value: Float, forKey key: Key) throws { try set(encoder.number(value, key), key) }
  func encode(_ value: Int, forKey key: Key) { set(JSONValue(value), key) }
  func encode(_ value: Int8, forKey key: Key) { set(JSONValue(value), key) }
  func encode(_ value: Int16, forKey key: Key) { set(JSONValue(value), key) }
  func encode(_ value: Int32, forKey key: Key) { set(JSONValue(value), key) }
  func encode(_ value: Int64, forKey key: Key) { set(JSONValue(value), key) }
  func encode(_ value: UInt, forKey key: Key) { set(JSONValue(value), key) }
  func encode(_ value: UInt8, forKey key: Key) { set(JSONValue(value), key) }
  func encode(_ value: UInt16, forKey key: Key) { set(JSONValue(value), key) }
  func encode(_ value: UInt32, forKey key: Key) { set(JSONValue(value), key) }
  func encode(_ value: UInt64, forKey key: Key) { set(JSONValue(value), key) }
}
