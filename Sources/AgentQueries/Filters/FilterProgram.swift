internal import AgentJSON

/// A filter that is ready for many events: its fields are parsed, and its values are folded or read
/// as numbers.
indirect enum FilterProgram: Sendable {
  case everything
  case test(FieldPath, ValueTest)
  case all([FilterProgram])
  case any([FilterProgram])
  case not(FilterProgram)

  init(_ tree: FilterTree) {
    switch tree.kind {
    case .everything: self = .everything
    case .term(let term): self = .test(FieldPath(term.field), ValueTest(term))
    case .all(let parts): self = .all(parts.map(FilterProgram.init))
    case .any(let parts): self = .any(parts.map(FilterProgram.init))
    case .not(let part): self = .not(FilterProgram(part))
    }
  }

  /// The maximum number of steps of a filter for one event. A step is about a byte that is read.
  ///
  /// Rationale: a filter of 64 KiB can have thousands of patterns, and the bus matches events under
  /// its lock.
  static let maxSteps = 4 << 20

  /// Returns whether an event matches. An event that takes more steps doesn't.
  func matches(_ object: JSONObject, atMost limit: Int = maxSteps) -> Bool {
    var steps = limit
    // A negation inside may have made a true of a test that wasn't done.
    return matches(object, &steps) && steps >= 0
  }

  /// Returns whether a row matches. A row for which the meter has too few steps left doesn't.
  func matches(_ object: JSONObject, _ meter: WorkMeter) -> Bool {
    var steps = Self.maxSteps
    let isMatch = matches(object, &steps)
    return meter.spend(Self.maxSteps - max(0, steps)) && isMatch && steps >= 0
  }

  private func matches(_ object: JSONObject, _ steps: inout Int) -> Bool {
    switch self {
    case .everything: return true
    case .test(let path, let test):
      guard let value = path.value(in: object) else { return false }
      return test.accepts(value, &steps)
    case .all(let parts):
      for part in parts where !part.matches(object, &steps) { return false }
      return true
    case .any(let parts):
      for part in parts where part.matches(object, &steps) { return true }
      return false
    case .not(let part): return !part.matches(object, &steps)
    }
  }
}
