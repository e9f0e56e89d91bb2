public import AgentJSON
internal import AgentText

/// A problem in a file that a person wrote, with its remedy.
public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
  /// Whether the agent can run with the problem.
  public enum Severity: String, Sendable, Hashable {
    case error, warning
  }

  /// An error keeps the agent from running; a warning doesn't.
  public var severity: Severity
  /// A stable code for programs, such as `unknown_key`.
  public var code: String
  /// The name of the file in messages.
  public var file: String
  /// The position in the file. `nil` if the problem concerns the whole file.
  public var place: JSONPlace?
  /// The setting's dotted path; empty when the problem concerns the file as a whole.
  public var path: String
  /// The path as a JSON pointer (RFC 6901), relative to the checked value. `nil` if the problem
  /// concerns the whole file.
  public var pointer: JSONPointer?
  /// Sentences for the person who must act, without place and path.
  public var message: String
  public var expected: String?
  public var found: String?
  /// The probably intended text, or the remedy.
  public var suggestion: String?

  /// The largest size of a text, in bytes. A file may contain a megabyte in place of a word, and
  /// many messages may quote it.
  public static let maxTextBytes = 2_000

  /// Creates a problem. It is an error unless `severity` has another value. Texts are cut to
  /// `maxTextBytes`.
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

  /// The problem as a line: `settings.json:14:22: processes.x.window: expected an integer, found
  /// "60". …` All its parts may quote what somebody else wrote, so control characters are escaped.
  public var description: String {
    var line = file
    if let place { line += ":\(place.line):\(place.column)" }
    line += ": "
    if severity == .warning { line += "warning: " }
    if !path.isEmpty { line += path + ": " }
    return VisibleText.line(line + message)
  }

  /// The problem as JSON.
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
  /// Whether the list contains an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// Returns the problems sorted by file and place. The problems of the file `first` come first.
  public func inReadingOrder(first: String) -> [Problem] {
    var files = [first: 0]
    for problem in self where files[problem.file] == nil { files[problem.file] = files.count }
    let keyed = self.enumerated().map { index, problem in
      (files[problem.file] ?? 0, problem.place?.offset ?? -1, index, problem)
    }
    return keyed.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.map(\.3)
  }
}

extension Array<Problem> {
  /// The largest number of errors, and of warnings, that one list of problems holds.
  package static var largest: Int { 100 }

  /// Returns whether the list takes one more problem. Each is looked up in its file, and a file may
  /// have a problem in each of its million lines.
  ///
  /// Errors and warnings are counted apart, so that warnings never displace the first error.
  package func takes(_ severity: Problem.Severity) -> Bool {
    count { $0.severity == severity } < Self.largest
  }
}
