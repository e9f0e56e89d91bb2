public import AgentJSON
internal import AgentText

/// A problem in a bot, a task or a strategy name that a person wrote, with its place and a remedy.
public struct AssignmentProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of problem.
  public enum Code: String, Sendable, Hashable {
    case missing = "missing_key"
    case unknownKey = "unknown_key"
    case unknownName = "unknown_name"
    case wrongType = "wrong_type"
    case invalidValue = "invalid_value"
    case duplicate = "duplicate_name"
  }

  public let code: Code
  /// The path of the wrong value. For a missing key, the path of the object that lacks it.
  public let pointer: JSONPointer
  /// The position in the text, if the value was read from text.
  public let place: JSONPlace?
  /// The message, without place and path, for the person who must act.
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
    self.message = message + NameSuggestion.question(nearest)
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

  /// `LINE:COLUMN: PATH: MESSAGE`. Unknown parts are left out, and control characters are escaped.
  public var description: String {
    let path = pointer.dotted
    let start = (place.map { "\($0): " } ?? "") + (path.isEmpty ? "" : "\(path): ")
    return VisibleText.line(start + message)
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

/// All problems of one value, in the order in which the value is written.
public struct AssignmentProblems: Error, Sendable, Hashable, CustomStringConvertible {
  /// At least one problem.
  public let problems: [AssignmentProblem]

  /// One line per problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}
