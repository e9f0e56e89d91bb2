extension JSONValue {
  /// The kind of the value.
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

  /// The Boolean. `nil` for other kinds.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number. `nil` for other kinds.
  public var number: JSONNumber? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The number as an integer, also for `1.0`. `nil` if it has a fraction or doesn't fit, and for
  /// other kinds.
  public var int: Int? { number?.int }

  /// The number as the nearest double. `nil` for other kinds.
  public var double: Double? { number?.double }

  /// The string. `nil` for other kinds.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements of an array. `nil` for other kinds.
  public var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  /// The members of an object. `nil` for other kinds.
  public var object: JSONObject? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The member `key` of an object, or `nil` for other kinds. Setting it adds, replaces or (with
  /// `nil`) removes the member. A value of another kind becomes an object.
  public subscript(key: String) -> JSONValue? {
    get { object?[key] }
    set {
      var members = object ?? JSONObject()
      members[key] = newValue
      self = .object(members)
    }
  }

  /// Returns element `index` of an array, or `nil` if it is out of bounds and for other kinds.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let values) = self, values.indices.contains(index) else { return nil }
    return values[index]
  }

  /// Returns the value at `pointer`, or `nil` if there is none.
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
