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

  func matches(_ object: JSONObject) -> Bool {
    switch self {
    case .everything: return true
    case .test(let path, let test):
      guard let value = path.value(in: object) else { return false }
      return test.accepts(value)
    case .all(let parts):
      for part in parts where !part.matches(object) { return false }
      return true
    case .any(let parts):
      for part in parts where part.matches(object) { return true }
      return false
    case .not(let part): return !part.matches(object)
    }
  }
}
