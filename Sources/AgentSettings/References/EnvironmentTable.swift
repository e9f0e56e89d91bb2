import AgentJSON
import AgentModules

/// The variables for references. A variable of `.env` wins over one of the host's environment.
public struct EnvironmentTable: Sendable {
  private let file: [String: String]
  private let inherited: [String: String]

  public init(file: [String: String] = [:], inherited: [String: String] = [:]) {
    self.file = file
    self.inherited = inherited
  }

  /// Returns the value of a variable. Nil means that it isn't set.
  public subscript(name: String) -> String? { file[name] ?? inherited[name] }

  /// The names of all variables.
  public var names: [String] { Array(file.keys) + inherited.keys }

  /// Returns a variable of the file. Tasks and webhooks may name only these as secrets.
  ///
  /// Rationale: the host's environment holds values that the user's shell or the service manager
  /// put there for other purposes. The values of the file were written for this agent.
  public func secret(_ name: String) -> String? { file[name] }

  /// The names of the file's variables.
  public var secretNames: [String] { Array(file.keys) }

  /// Reads a `.env` file. A missing file is no problem. A file that other users can read is a
  /// problem. The process's own environment stays as it is.
  static func read(
    _ path: String, named name: String, inherited: [String: String]
  ) -> (EnvironmentTable, [Problem]) {
    var problems: [Problem] = []
    var file: [String: String] = [:]
    do {
      var parser = EnvironmentParser(try FileSystem.read(path, limit: 1 << 20), file: name)
      file = parser.parse()
      problems = parser.problems
      if FileSystem.isOpenToOthers(path) { problems.append(openToOthers(name)) }
    } catch .missing {
      // The file is optional.
    } catch {
      problems.append(
        Problem(error.code, file: name, message: error.message))
    }
    return (EnvironmentTable(file: file, inherited: inherited), problems)
  }

  private static func openToOthers(_ name: String) -> Problem {
    Problem(
      "env_open_to_others", file: name,
      message: "other users can read or change this file. Close it with: chmod 600 \(name)",
      expected: "mode 0600", suggestion: "chmod 600 \(name)", severity: .warning)
  }
}

/// Parses `NAME=value` lines: comments, `export`, single quotes (no escapes), double quotes (`\n`,
/// `\t`, `\"`, `\\`, `\$`), and bare values up to ` #`.
struct EnvironmentParser {
  private let lines: [Substring]
  private let file: String
  private(set) var problems: [Problem] = []

  init(_ bytes: [UInt8], file: String) {
    let text = String(decoding: bytes, as: UTF8.self)
    self.lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    self.file = file
  }

  mutating func parse() -> [String: String] {
    var table: [String: String] = [:]
    for (index, line) in lines.enumerated() {
      let trimmed = Self.trim(line)
      if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
      guard let (name, value) = parse(trimmed, line: index + 1) else { continue }
      table[name] = value
    }
    return table
  }

  private mutating func parse(_ line: Substring, line number: Int) -> (String, String)? {
    let assignment = line.hasPrefix("export ") ? Self.trim(line.dropFirst(7)) : line
    guard let equals = assignment.firstIndex(of: "=") else {
      return fail(number, "expected NAME=value, and there is no \"=\".")
    }
    let name = Self.trim(assignment[..<equals])
    guard Self.isName(name) else {
      return fail(
        number, "\"\(name)\" isn't a variable's name: a letter or _, then letters, digits and _.")
    }
    let text = Self.trim(assignment[assignment.index(after: equals)...])
    return value(text, line: number).map { (String(name), $0) }
  }

  private mutating func value(_ text: Substring, line: Int) -> String? {
    switch text.first {
    case "'": quoted(text, by: "'", line: line)
    case "\"": quoted(text, by: "\"", line: line)
    default: Self.bare(text)
    }
  }

  private static func bare(_ text: Substring) -> String {
    var previous: Character = " "
    for index in text.indices {
      if text[index] == "#", previous == " " || previous == "\t" {
        return String(trim(text[..<index]))
      }
      previous = text[index]
    }
    return String(text)
  }

  private mutating func quoted(_ text: Substring, by quote: Character, line: Int) -> String? {
    var value = ""
    var index = text.index(after: text.startIndex)
    while index < text.endIndex {
      let letter = text[index]
      index = text.index(after: index)
      if letter == quote { return end(text[index...], value, line: line) }
      guard letter == "\\", quote == "\"", index < text.endIndex else {
        value.append(letter)
        continue
      }
      value += Self.unescape(text[index])
      index = text.index(after: index)
    }
    return fail(line, "the closing \(quote) is missing.")
  }

  private static func unescape(_ letter: Character) -> String {
    switch letter {
    case "n": "\n"
    case "t": "\t"
    case "r": "\r"
    case "\"", "\\", "$": String(letter)
    default: "\\" + String(letter)
    }
  }

  private mutating func end(_ rest: Substring, _ value: String, line: Int) -> String? {
    let rest = Self.trim(rest)
    if rest.isEmpty || rest.hasPrefix("#") { return value }
    return fail(line, "there is text after the closing quote.")
  }

  /// Records a problem. The message leaves out the line's text, which may hold a secret.
  private mutating func fail<T>(_ line: Int, _ message: String) -> T? {
    guard problems.takes(.error) else { return nil }
    let place = JSONPlace(offset: line, line: line, column: 1)
    problems.append(Problem("env_syntax", file: file, place: place, message: message))
    return nil
  }

  private static func trim(_ text: Substring) -> Substring {
    var text = text
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }

  private static func isName(_ name: Substring) -> Bool {
    guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
    return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
