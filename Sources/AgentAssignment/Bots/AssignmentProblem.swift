public import AgentJSON

/// Something that is wrong with what somebody wrote: where, and what to do about it.
public struct AssignmentProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of problem it is.
  public enum Code: String, Sendable, Hashable {
    case missing = "missing_key"
    case unknownKey = "unknown_key"
    case unknownName = "unknown_name"
    case wrongType = "wrong_type"
    case invalidValue = "invalid_value"
    case duplicate = "duplicate_name"
  }

  /// What kind of problem it is.
  public let code: Code
  /// Which value; for a missing key, the object that lacks it.
  public let pointer: JSONPointer
  /// Where it is, if it was read from text.
  public let place: JSONPlace?
  /// Sentences for the person who must act, without place and path.
  public let message: String
  /// The known name that was probably meant.
  public let suggestion: String?

  init(
    _ code: Code, pointer: JSONPointer = .root, place: JSONPlace? = nil, _ message: String,
    nearest: String? = nil
  ) {
    self.code = code
    self.pointer = pointer
    self.place = place
    self.message = message + (nearest.map { " Did you mean \"\($0)\"?" } ?? "")
    suggestion = nearest
  }

  init(
    _ code: Code, at node: JSONNode, _ message: String, found: JSONNode? = nil,
    nearest: String? = nil
  ) {
    let found = found.map { " Found \(Self.short($0))." } ?? ""
    self.init(
      code, pointer: node.pointer, place: node.place, message + found, nearest: nearest)
  }

  /// `LINE:COLUMN: PATH: MESSAGE`, without what isn't known.
  public var description: String {
    let path = pointer.dotted
    return (place.map { "\($0): " } ?? "") + (path.isEmpty ? "" : "\(path): ") + message
  }

  private static func short(_ node: JSONNode) -> String {
    switch node.kind {
    case .array, .object: node.kind.phrase
    default:
      node.bytes.count <= 60
        ? String(decoding: node.bytes, as: UTF8.self) : "\(node.kind.phrase) of many letters"
    }
  }
}

/// All that is wrong, in the order in which it is written.
public struct AssignmentProblems: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problems; never none.
  public let problems: [AssignmentProblem]

  /// One line a problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}
