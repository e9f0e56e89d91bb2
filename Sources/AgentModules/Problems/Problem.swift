public import AgentJSON
internal import AgentText

/// Something that is wrong with a file that a person wrote, and what to do about it.
public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
  /// Whether the agent can run in spite of it.
  public enum Severity: String, Sendable, Hashable {
    case error, warning
  }

  /// An error keeps the agent from running; a warning doesn't.
  public var severity: Severity
  /// A stable word for machines, such as `unknown_key`.
  public var code: String
  /// The file as the user would name it.
  public var file: String
  /// The position in the file; nil when the problem concerns the file as a whole.
  public var place: JSONPlace?
  /// The setting's dotted path; empty when the problem concerns the file as a whole.
  public var path: String
  /// The same path for machines (RFC 6901), relative to the checked value; nil when the problem
  /// concerns the file as a whole.
  public var pointer: JSONPointer?
  /// Sentences for the person who must act, without place and path.
  public var message: String
  public var expected: String?
  public var found: String?
  /// The probably intended text, or what to do.
  public var suggestion: String?

  /// The most bytes that a text of a problem has. A file may hold a megabyte where a word should
  /// be, and one that repeats it in each message makes the report as long as the file is wrong.
  public static let maxTextBytes = 2_000

  /// A problem; an error unless `severity` says otherwise. Texts longer than `maxTextBytes` are
  /// cut.
  public init(
    _ code: String, file: String, place: JSONPlace? = nil, path: String = "", message: String,
    expected: String? = nil, found: String? = nil, suggestion: String? = nil,
    severity: Severity = .error
  ) {
    self.severity = severity
    self.code = code
    self.file = file
    self.place = place
    self.path = path.cut(toBytes: Self.maxTextBytes)
    self.message = message.cut(toBytes: Self.maxTextBytes)
    self.expected = expected?.cut(toBytes: Self.maxTextBytes)
    self.found = found?.cut(toBytes: Self.maxTextBytes)
    self.suggestion = suggestion?.cut(toBytes: Self.maxTextBytes)
  }

  /// One line: `settings.json:14:22: processes.x.window: expected an integer, found "60". …`
  public var description: String {
    var line = file
    if let place { line += ":\(place.line):\(place.column)" }
    line += ": "
    if severity == .warning { line += "warning: " }
    if !path.isEmpty { line += path + ": " }
    return line + message
  }

  /// The same for machines.
  public var json: JSONValue {
    var object: JSONObject = [
      "severity": .string(severity.rawValue), "code": .string(code), "file": .string(file),
      "path": .string(path), "message": .string(message),
    ]
    if let pointer { object["pointer"] = .string(pointer.description) }
    if let place {
      object["line"] = .number(JSONNumber(place.line))
      object["column"] = .number(JSONNumber(place.column))
    }
    if let expected { object["expected"] = .string(expected) }
    if let found { object["found"] = .string(found) }
    if let suggestion { object["suggestion"] = .string(suggestion) }
    return .object(object)
  }
}

extension Sequence<Problem> {
  /// Whether one of them keeps the agent from running.
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// Sorted for reading: by file, `first` before others, then by place.
  public func inReadingOrder(first: String) -> [Problem] {
    var files = [first: 0]
    for problem in self where files[problem.file] == nil { files[problem.file] = files.count }
    let keyed = self.enumerated().map { index, problem in
      (files[problem.file] ?? 0, problem.place?.offset ?? -1, index, problem)
    }
    return keyed.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.map(\.3)
  }
}
