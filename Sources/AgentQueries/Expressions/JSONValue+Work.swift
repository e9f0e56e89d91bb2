internal import AgentJSON

extension JSONValue {
  /// The most bytes and values that a count of steps visits.
  private static let maxSteps = 1 << 28

  /// The steps that reading the whole value takes: its bytes, and some for each value in it.
  /// Numbers and the other small values cost nothing.
  var steps: Int {
    switch self {
    case .null, .bool, .number: return 0
    case .string(let text): return text.utf8.count
    case .array, .object:
      var steps = 0
      count(&steps)
      return steps
    }
  }

  private func count(_ steps: inout Int) {
    // A value that holds itself many times may have more parts than can be counted.
    guard steps < Self.maxSteps else { return }
    steps += WorkMeter.stepsOfValue
    switch self {
    case .null, .bool, .number: break
    case .string(let text): steps += text.utf8.count
    case .array(let elements): for element in elements { element.count(&steps) }
    case .object(let object):
      for (key, value) in object {
        steps += key.utf8.count
        value.count(&steps)
      }
    }
  }
}

extension WorkMeter {
  /// The length of a text whose steps are those of the expression that reads it.
  private static var shortText: Int { 64 }

  /// Uses the steps of reading a value.
  /// - Returns: false if too few were left.
  @inline(__always)
  func spend(reading value: JSONValue, times factor: Int = 1) -> Bool {
    switch value {
    case .null, .bool, .number: true
    case .string(let text):
      text.utf8.count <= Self.shortText || spend(text.utf8.count * factor)
    case .array, .object: spend(value.steps * factor)
    }
  }
}

extension EvaluationRow {
  /// Uses the steps of reading a value.
  /// - Returns: false if too few were left.
  @inline(__always)
  func reads(_ value: JSONValue, times factor: Int = 1) -> Bool {
    meter.spend(reading: value, times: factor)
  }

  /// Returns whether both are the same JSON value. It is nil if too few steps were left.
  @inline(__always)
  func equal(_ left: JSONValue, _ right: JSONValue) -> Bool? {
    switch (left, right) {
    case (.string, .string), (.array, .array), (.object, .object):
      // The comparison ends with the end of either value.
      guard reads(left) else { return nil }
    default: break
    }
    return Comparison.equal(left, right)
  }
}
