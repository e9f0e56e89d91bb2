/// Encodes the elements of an array, one after another.
struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
  let encoder: JSONSlotEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int { encoder.slot.count }

  func encodeNil() {
    encoder.slot.append(.null)
  }

  func encode<T: Encodable>(_ value: T) throws {
    try appended().encode(value)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    appended().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    appended().unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    appended()
  }

  /// The encoder of one more element.
  private func appended() -> JSONSlotEncoder {
    encoder.at(JSONCodingKey(intValue: count), slot: encoder.slot.element())
  }
}

// What the protocol asks for one type at a time.
extension JSONUnkeyedEncoding {
  func encode(_ value: Bool) { encoder.slot.append(.bool(value)) }
  func encode(_ value: String) { encoder.slot.append(.string(value)) }
  func encode(_ value: Double) throws {
    try encoder.slot.append(encoder.number(value, JSONCodingKey(intValue: count)))
  }
  func encode(_ value: Float) throws {
    try encoder.slot.append(encoder.number(value, JSONCodingKey(intValue: count)))
  }
  func encode(_ value: Int) { encoder.slot.append(JSONValue(value)) }
  func encode(_ value: Int8) { encoder.slot.append(JSONValue(value)) }
  func encode(_ value: Int16) { encoder.slot.append(JSONValue(value)) }
  func encode(_ value: Int32) { encoder.slot.append(JSONValue(value)) }
  func encode(_ value: Int64) { encoder.slot.append(JSONValue(value)) }
  func encode(_ value: UInt) { encoder.slot.append(JSONValue(value)) }
  func encode(_ value: UInt8) { encoder.slot.append(JSONValue(value)) }
  func encode(_ value: UInt16) { encoder.slot.append(JSONValue(value)) }
  func encode(_ value: UInt32) { encoder.slot.append(JSONValue(value)) }
  func encode(_ value: UInt64) { encoder.slot.append(JSONValue(value)) }
}
