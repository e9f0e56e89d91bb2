import AgentJSON
import AgentModules
import AgentText
import JSONSchema

/// Replaces references by the values of variables. It records the secret values and the missing
/// variables.
struct ReferenceResolver {
  let source: SourceFile
  let table: EnvironmentTable
  /// The severity of a missing variable.
  let severity: Problem.Severity

  private(set) var problems: [Problem] = []
  private(set) var secrets: Set<String> = []
  /// The nodes whose value is unknown. Checks leave them out.
  private(set) var unresolved: Set<JSONPointer> = []
  /// The nodes that hold a secret.
  private(set) var secretPlaces: Set<JSONPointer> = []

  /// Whether the file holds any reference.
  let isNeeded: Bool

  init(source: SourceFile, table: EnvironmentTable, severity: Problem.Severity) {
    self.source = source
    self.table = table
    self.severity = severity
    self.isNeeded = ReferenceText.mayHold(source.document.bytes)
  }

  /// A part of the file that is described by one schema.
  struct Section {
    /// The path of the part in the file.
    let prefix: [String]
    let schema: Schema?
    /// Whether a missing variable is only a warning, even in strict mode.
    var lenient = false
    /// Whether another schema describes the part at a path of the file.
    var excludes: ([String]) -> Bool = { _ in false }
  }

  /// Returns the value with its references replaced.
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
    // The text stays as it was written. A part of it would be checked as if it were the value.
    if unresolved.contains(pointer) { return .string(text) }
    guard reference.only != nil, let schema = section.schema else { return .string(result) }
    // A module's schema may depend on the other values. The host's schema doesn't.
    let instance = section.prefix.isEmpty ? nil : JSONDocument(whole).root
    return Self.convert(result, to: schema.kinds(at: JSONPointer(tokens: path), in: instance))
  }

  /// Converts a text to the type that the schema asks for. It stays a text if the schema accepts a
  /// text or the conversion fails. The schema reports a failure afterwards.
  private static func convert(_ text: String, to kinds: Set<JSONKind>) -> JSONValue {
    if kinds.isEmpty || kinds.contains(.string) { return .string(text) }
    guard let value = try? JSONValue(parsing: text), kinds.contains(value.kind) else {
      return .string(text)
    }
    return value
  }

  private mutating func missing(_ name: String, at pointer: JSONPointer, lenient: Bool) {
    unresolved.insert(pointer)
    let severity = lenient ? Problem.Severity.warning : self.severity
    guard problems.takes(severity) else { return }
    let nearest = NameSuggestion.question(NameSuggestion.of(name, among: table.names), quote: "")
    problems.append(
      source.problem(
        "variable_missing", at: pointer,
        message:
          "the variable \(name) isn't set, neither in .env nor in the environment.\(nearest)",
        expected: "a value for \(name)", found: "nothing", severity: severity))
  }

  private mutating func invalid(_ text: String, at pointer: JSONPointer) {
    unresolved.insert(pointer)
    guard problems.takes(.error) else { return }
    problems.append(
      source.problem(
        "invalid_reference", at: pointer,
        message: "\(text) isn't a reference. Write ${env:NAME} or ${secret:NAME},"
          + " or $${ for the characters themselves.",
        expected: "${env:NAME} or ${secret:NAME}", found: text))
  }

  /// Records texts that are secret at every place.
  mutating func markSecrets(_ texts: [String]) { secrets.formUnion(texts) }

  /// Records a value that the schema declares as secret.
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
