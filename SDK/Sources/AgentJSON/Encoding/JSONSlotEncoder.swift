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
  /// A number, converted through its text: 0.1 as a Float is 0.1, not 0.10000000149011612.
  func number(_ value: Float, _ key: (any CodingKey)? = nil) throws -> JSONValue {
    guard let number = JSONNumber(parsing: value.description) else { throw refusal(value, key) }
    return .number(number)
  }

  /// A number; `key` is where it will be, within this.
  func number(_ value: Double, _ key: (any CodingKey)? = nil) throws -> JSONValue {
    guard let number = JSONNumber(value) else { throw refusal(value, key) }
    return .number(number)
  }

  private func refusal(_ value: Any, _ key: (any CodingKey)?) -> EncodingError {
    let path = codingPath + (key.map { [$0] } ?? [])
    let message = "JSON has no number for \(value). Encode null or a string instead."
    return .invalidValue(value, .init(codingPath: path, debugDescription: message))
  }

  func encode<T: Encodable>(_ value: T) throws {
    if T.self == JSONValue.self, let value = value as? JSONValue { return slot.set(value) }
    try value.encode(to: self)
  }
}
