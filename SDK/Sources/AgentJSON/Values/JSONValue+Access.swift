extension JSONValue {
  /// Which of the six kinds this is.
  public var kind: JSONKind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Whether this is `null`.
  public var isNull: Bool { kind == .null }

  /// The Boolean, if it is one.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number, if it is one.
  public var number: JSONNumber? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The number as an integer, if it is one that fits: also `1.0`.
  public var int: Int? { number?.int }

  /// The number as the nearest double, if it is a number.
  public var double: Double? { number?.double }

  /// The string, if it is one.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements, if this is an array.
  public var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  /// The members, if this is an object.
  public var object: JSONObject? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The member `key` of an object; nil for anything else. Setting adds, replaces or (with nil)
  /// removes; what isn't an object becomes one.
  public subscript(key: String) -> JSONValue? {
    get { object?[key] }
    set {
      var members = object ?? JSONObject()
      members[key] = newValue
      self = .object(members)
    }
  }

  /// Element `index` of an array; nil for anything else and out of bounds.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let values) = self, values.indices.contains(index) else { return nil }
    return values[index]
  }

  /// What `pointer` points to, or nil.
  public func value(at pointer: JSONPointer) -> JSONValue? {
    var value = self
    for token in pointer.tokens {
      let next =
        switch value {
        case .object(let members): members[token]
        case .array: JSONPointer.index(token).flatMap { value[$0] }
        default: nil as JSONValue?
        }
      guard let next else { return nil }
      value = next
    }
    return value
  }
}
