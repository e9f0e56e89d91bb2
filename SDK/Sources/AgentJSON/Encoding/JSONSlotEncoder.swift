/// Encodes into one slot.
struct JSONSlotEncoder: Encoder {
  let slot: JSONSlot
  let codingPath: [any CodingKey]
  let information: [CodingUserInfoKey: any Sendable]

  var userInfo: [CodingUserInfoKey: Any] { information }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.becomeObject()
    return KeyedEncodingContainer(JSONKeyedEncoding(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.becomeArray()
    return JSONUnkeyedEncoding(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    JSONSingleEncoding(encoder: self)
  }

  /// The encoder of a value within this one.
  func at(_ key: any CodingKey, slot: JSONSlot) -> JSONSlotEncoder {
    JSONSlotEncoder(slot: slot, codingPath: codingPath + [key], information: information)
  }
}

extension JSONSlotEncoder {
  func encodeFloat(_ value: Float) throws {
    // By way of its text: 0.1 as a Float is 0.1, not 0.10000000149011612.
    try set(JSONNumber(parsing: value.description), for: value)
  }

  func encodeFloat(_ value: Double) throws {
    try set(JSONNumber(value), for: value)
  }

  private func set(_ number: JSONNumber?, for value: Any) throws {
    guard let number else {
      let message = "JSON has no number for \(value). Encode null or a string instead."
      throw EncodingError.invalidValue(
        value, .init(codingPath: codingPath, debugDescription: message))
    }
    slot.set(.number(number))
  }

  func encode<T: Encodable>(_ value: T) throws {
    if let value = value as? JSONValue { return slot.set(value) }
    try value.encode(to: self)
    // What encodes nothing is an object without members: other decoders then find one.
    if slot.isEmpty { slot.becomeObject() }
  }
}
