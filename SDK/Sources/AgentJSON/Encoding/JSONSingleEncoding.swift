/// Encodes a value that is neither object nor array to its type.
struct JSONSingleEncoding: SingleValueEncodingContainer {
  let encoder: JSONSlotEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() {
    encoder.slot.set(.null)
  }

  func encode<T: Encodable>(_ value: T) throws {
    try encoder.encode(value)
  }
}

// What the protocol asks for one type at a time.
extension JSONSingleEncoding {
  func encode(_ value: Bool) { encoder.slot.set(.bool(value)) }
  func encode(_ value: String) { encoder.slot.set(.string(value)) }
  func encode(_ value: Double) throws { encoder.slot.set(try encoder.number(value)) }
  func encode(_ value: Float) throws { encoder.slot.set(try encoder.number(value)) }
  func encode(_ value: Int) { encoder.slot.set(JSONValue(value)) }
  func encode(_ value: Int8) { encoder.slot.set(JSONValue(value)) }
  func encode(_ value: Int16) { encoder.slot.set(JSONValue(value)) }
  func encode(_ value: Int32) { encoder.slot.set(JSONValue(value)) }
  func encode(_ value: Int64) { encoder.slot.set(JSONValue(value)) }
  func encode(_ value: UInt) { encoder.slot.set(JSONValue(value)) }
  func encode(_ value: UInt8) { encoder.slot.set(JSONValue(value)) }
  func encode(_ value: UInt16) { encoder.slot.set(JSONValue(value)) }
  func encode(_ value: UInt32) { encoder.slot.set(JSONValue(value)) }
  func encode(_ value: UInt64) { encoder.slot.set(JSONValue(value)) }
}
