/// Encodes the elements of an array, one after another.
struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
  let encoder: JSONSlotEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int { encoder.slot.count }

  func encodeNil() {
    appended().slot.set(.null)
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
  func encode(_ value: Bool) { appended().slot.set(.bool(value)) }
  func encode(_ value: String) { appended().slot.set(.string(value)) }
  func encode(_ value: Double) throws { try appended().encodeFloat(value) }
  func encode(_ value: Float) throws { try appended().encodeFloat(value) }
  func encode(_ value: Int) { appended().slot.set(JSONValue(value)) }
  func encode(_ value: Int8) { appended().slot.set(JSONValue(value)) }
  func encode(_ value: Int16) { appended().slot.set(JSONValue(value)) }
  func encode(_ value: Int32) { appended().slot.set(JSONValue(value)) }
  func encode(_ value: Int64) { appended().slot.set(JSONValue(value)) }
  func encode(_ value: UInt) { appended().slot.set(JSONValue(value)) }
  func encode(_ value: UInt8) { appended().slot.set(JSONValue(value)) }
  func encode(_ value: UInt16) { appended().slot.set(JSONValue(value)) }
  func encode(_ value: UInt32) { appended().slot.set(JSONValue(value)) }
  func encode(_ value: UInt64) { appended().slot.set(JSONValue(value)) }
}
