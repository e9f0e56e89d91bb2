public import AgentJSON

/// An entry of `enabled_modules`: a folder's name under `modules/`, or a path.
public struct ModuleReference: Sendable, Hashable {
  /// The entry as it is written.
  public let text: String
  /// The name of its file in messages.
  public let file: String
  /// Its place in the file.
  public let place: JSONPlace?
  /// Its dotted path in that file.
  public let path: String
  /// Its path in that file as a pointer.
  public let pointer: JSONPointer?

  /// Creates a reference. It has no place if it doesn't come from a file.
  public init(
    _ text: String, file: String = "", place: JSONPlace? = nil, at pointer: JSONPointer? = nil
  ) {
    self.text = text
    self.file = file
    self.place = place
    self.pointer = pointer
    path = pointer?.dotted ?? ""
  }

  /// Returns a problem of the entry.
  func problem(
    _ code: String, message: String, expected: String? = nil, found: String? = nil,
    suggestion: String? = nil
  ) -> Problem {
    var problem = Problem(
      code, file: file, place: place, path: path, message: message, expected: expected,
      found: found, suggestion: suggestion)
    problem.pointer = pointer
    return problem
  }

  /// Whether the entry is a path and not a name.
  public var isPath: Bool { text.contains("/") || text == "." || text == ".." }

  /// The module's folder, relative to the agent's folder.
  var relativeFolder: String { isPath ? text : "modules/" + text }
}
