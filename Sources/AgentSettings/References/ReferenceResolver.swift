import AgentJSON
import AgentModules
import AgentText
import JSONSchema

/// Puts the values of variables in place of references, and remembers which are secret and which
/// are missing.
struct ReferenceResolver {
  let source: SourceFile
  let table: EnvironmentTable
  /// What a missing variable is.
  let severity: Problem.Severity

  private(set) var problems: [Problem] = []
  private(set) var secrets: Set<String> = []
  /// Nodes whose value isn't known, so that nothing can be said about it.
  private(set) var unresolved: Set<JSONPointer> = []
  /// Nodes that hold something secret.
  private(set) var secretPlaces: Set<JSONPointer> = []

  /// Whether the file holds a reference anywhere.
  let isNeeded: Bool

  init(source: SourceFile, table: EnvironmentTable, severity: Problem.Severity) {
    self.source = source
    self.table = table
    self.severity = severity
    self.isNeeded = ReferenceText.mayHold(source.document.bytes)
  }

  /// A part of the file that one schema describes.
  struct Section {
    /// Where it begins in the file.
    let prefix: [String]
    let schema: Schema?
    /// Whether a missing variable is a warning even for a run.
    var lenient = false
    /// Parts that another schema describes, by their path in the file.
    var excludes: ([String]) -> Bool = { _ in false }
  }

  /// The value with its references replaced.
  mutating func resolve(_ value: JSONValue, in section: Section) -> JSONValue {
    guard isNeeded, Self.holdsReference(value) else { return value }
    return resolve(value, at: [], section, whole: value)
  }

  private mutating func resolve(
    _ value: JSONValue, at path: [String], _ section: Section, whole: JSONValue
  ) -> JSONValue {
    if section.excludes(section.prefix + path) { return value }
    switch value {
    case .object(var object):
      for (key, member) in object where Self.holdsReference(member) {
        object[key] = resolve(member, at: path + [key], section, whole: whole)
      }
      return .object(object)
    case .array(let elements):
      return .array(
        elements.enumerated().map {
          resolve($1, at: path + [String($0)], section, whole: whole)
        })
    case .string(let text) where ReferenceText.mayHold(text):
      return replace(text, at: path, section, whole: whole)
    default: return value
    }
  }

  private static func holdsReference(_ value: JSONValue) -> Bool {
    switch value {
    case .object(let object): object.contains { holdsReference($0.value) }
    case .array(let elements): elements.contains(where: holdsReference)
    case .string(let text): ReferenceText.mayHold(text)
    default: false
    }
  }

  private mutating func replace(
    _ text: String, at path: [String], _ section: Section, whole: JSONValue
  ) -> JSONValue {
    let reference = ReferenceText(text)
    let pointer = JSONPointer(tokens: section.prefix + path)
    var result = ""
    for part in reference.parts {
      switch part {
      case .text(let text): result += text
      case .variable(let name, let secret):
        if secret { secretPlaces.insert(pointer) }
        guard let value = table[name] else {
          missing(name, at: pointer, lenient: section.lenient)
          continue
        }
        if secret { secrets.insert(value) }
        result += value
      case .invalid(let whole): invalid(whole, at: pointer)
      }
    }
    if unresolved.contains(pointer) { return .string(text) }
    guard reference.only != nil, let schema = section.schema else { return .string(result) }
    // A module's schema may depend on the other values; the host's doesn't.
    let instance = section.prefix.isEmpty ? nil : JSONDocument(whole).root
    return Self.convert(result, to: schema.kinds(at: JSONPointer(tokens: path), in: instance))
  }

  /// A text stays one where the schema takes a text, or where it can't be read as what the schema
  /// asks for: then the schema says so.
  private static func convert(_ text: String, to kinds: Set<JSONKind>) -> JSONValue {
    if kinds.isEmpty || kinds.contains(.string) { return .string(text) }
    guard let value = try? JSONValue(parsing: text), kinds.contains(value.kind) else {
      return .string(text)
    }
    return value
  }

  private mutating func missing(_ name: String, at pointer: JSONPointer, lenient: Bool) {
    unresolved.insert(pointer)
    let nearest = NameSuggestion.of(name, among: table.names).map { " Did you mean \($0)?" } ?? ""
    problems.append(
      source.problem(
        "variable_missing", at: pointer,
        message:
          "the variable \(name) isn't set, neither in .env nor in the environment.\(nearest)",
        expected: "a value for \(name)", found: "nothing",
        severity: lenient ? .warning : severity))
  }

  private mutating func invalid(_ text: String, at pointer: JSONPointer) {
    unresolved.insert(pointer)
    problems.append(
      source.problem(
        "invalid_reference", at: pointer,
        message: "\(text) isn't a reference. Write ${env:NAME} or ${secret:NAME},"
          + " or $${ for the characters themselves.",
        expected: "${env:NAME} or ${secret:NAME}", found: text))
  }

  /// Texts that are secret wherever they stand.
  mutating func markSecrets(_ texts: [String]) { secrets.formUnion(texts) }

  /// Marks a value as secret that the schema calls so.
  mutating func markSecret(_ value: JSONValue, at pointer: JSONPointer) {
    secretPlaces.insert(pointer)
    switch value {
    case .string(let text): secrets.insert(text)
    case .number(let number): secrets.insert(number.text)
    case .array(let elements): for element in elements { markSecret(element, at: pointer) }
    case .object(let object): for member in object { markSecret(member.value, at: pointer) }
    case .null, .bool: break
    }
  }
}
