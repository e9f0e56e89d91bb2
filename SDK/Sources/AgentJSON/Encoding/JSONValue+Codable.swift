extension JSONValue {
  /// Encodes `value` to JSON through Codable. Throws for a value that JSON can't express, such as
  /// an infinite number.
  public init(
    encoding value: some Encodable, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws(JSONEncodingError) {
    let slot = JSONSlot()
    do {
      try JSONSlotEncoder(slot: slot, codingPath: [], information: userInfo).encode(value)
    } catch {
      throw JSONEncodingError(error)
    }
    self = slot.value
  }
}

extension JSONValue: Codable {
  /// Reads any JSON value: exactly from this library's decoder, as closely as possible from others.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? JSONNodeDecoder {
      self = decoder.node.value
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .number(JSONNumber(value))
    } else if let value = try? container.decode(UInt64.self) {
      self = .number(JSONNumber(value))
    } else if let value = try? container.decode(Double.self) {
      self = JSONValue(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let values = try? container.decode([JSONValue].self) {
      self = .array(values)
    } else {
      self = .object(try container.decode(JSONObject.self))
    }
  }

  /// Writes the value; numbers beyond 64 bits and doubles as the nearest double when the encoder
  /// isn't this library's.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? JSONSlotEncoder { return encoder.slot.set(self) }
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .number(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    case .array(let values): try values.encode(to: encoder)
    case .object(let members): try members.encode(to: encoder)
    }
  }
}

extension JSONNumber: Codable {
  /// Reads a number.
  public init(from decoder: any Decoder) throws {
    guard case .number(let number) = try JSONValue(from: decoder) else {
      throw DecodingError.typeMismatch(
        JSONNumber.self,
        .init(codingPath: decoder.codingPath, debugDescription: "expected a number."))
    }
    self = number
  }

  /// Writes the number.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? JSONSlotEncoder { return encoder.slot.set(.number(self)) }
    switch storage {
    case .int(let value): try value.encode(to: encoder)
    case .uint(let value): try value.encode(to: encoder)
    case .double, .text: try double.encode(to: encoder)
    }
  }
}

extension JSONObject: Codable {
  /// Reads an object.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONCodingKey.self)
    for key in container.allKeys {
      self[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
    }
  }

  /// Writes the members in order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: JSONCodingKey.self)
    for (key, value) in members {
      try container.encode(value, forKey: JSONCodingKey(stringValue: key))
    }
  }
}
