public import AgentJSON

/// An entry of `enabled_modules`: a folder's name under `modules/`, or a path.
public struct ModuleReference: Sendable, Hashable {
  /// As it is written.
  public let text: String
  /// The file that it is written in, as messages name it.
  public let file: String
  /// Where it is written.
  public let place: JSONPlace?
  /// Its dotted path in that file.
  public let path: String

  /// A reference; without a place when it doesn't come from a file.
  public init(_ text: String, file: String = "", place: JSONPlace? = nil, path: String = "") {
    self.text = text
    self.file = file
    self.place = place
    self.path = path
  }

  /// Whether it is a path rather than a name.
  public var isPath: Bool { text.contains("/") || text == "." || text == ".." }

  /// The module's folder, seen from the agent's folder.
  var relativeFolder: String { isPath ? text : "modules/" + text }
}
