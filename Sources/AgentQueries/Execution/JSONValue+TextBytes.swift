internal import AgentJSON

extension JSONValue {
  /// Takes the bytes of the value's JSON text, escapes included, and of the comma or colon before
  /// it from `space`. Ends when no space is left.
  ///
  /// Rationale: a control character has one byte in memory and six in JSON. A row that was measured
  /// in memory could leave the host six times as long as its limit.
  /// - Returns: whether there was enough.
  @discardableResult
  func takeTextBytes(from space: inout Int) -> Bool {
    space -= 1
    switch self {
    case .null: space -= 4
    case .bool(let value): space -= value ? 4 : 5
    case .number(let number): space -= number.text.utf8.count
    case .string(let text): text.takeTextBytes(from: &space)
    case .array(let elements):
      space -= 2
      for element in elements where !element.takeTextBytes(from: &space) { return false }
    case .object(let object):
      space -= 2
      return object.takeTextBytes(from: &space)
    }
    return space >= 0
  }
}

extension JSONObject {
  /// Takes the bytes of the JSON text of the members from `space`. Ends when no space is left.
  fileprivate func takeTextBytes(from space: inout Int) -> Bool {
    for (key, value) in self {
      space -= 1
      key.takeTextBytes(from: &space)
      guard value.takeTextBytes(from: &space) else { return false }
    }
    return space >= 0
  }
}

extension String {
  /// Takes the bytes of the text in JSON, with its quotes and escapes, from `space`.
  func takeTextBytes(from space: inout Int) {
    space -= utf8.count + 2
    // The escapes of a text that is too long anyway needn't be counted.
    guard space >= 0 else { return }
    for byte in utf8 { space -= Self.escapeBytes(of: byte) }
  }

  /// The bytes that a byte takes in JSON beyond itself.
  private static func escapeBytes(of byte: UInt8) -> Int {
    switch byte {
    // A quote, a backslash, and the controls with a letter of their own: b, t, n, f, r.
    case 0x22, 0x5C, 0x08, 0x09, 0x0A, 0x0C, 0x0D: 1
    case 0..<0x20: 5
    default: 0
    }
  }
}
