import AgentJSON
import AgentModules
import JSONSchema

/// Reads lists of logic adapters. The module's schema describes the own keys of each entry, as in a
/// process.
extension SettingsReader {
  /// Returns the places in `value` where the schema refers to `agent:logic_adapters`.
  func adapterLists(in value: JSONValue, by schema: Schema) -> [JSONPointer] {
    schema.pointers(marked: "x-logic-adapters", in: JSONDocument(value).root)
  }

  /// Returns the list with each entry completed and checked.
  mutating func completeAdapters(_ list: JSONValue, at path: [String]) -> JSONValue {
    guard case .array(let entries) = list else { return list }
    return .array(
      entries.enumerated().map { completeAdapter($1, at: path + [String($0)]) })
  }

  private mutating func completeAdapter(_ entry: JSONValue, at path: [String]) -> JSONValue {
    let common = ReferenceResolver.Section(prefix: path, schema: Self.entry) {
      $0.count == path.count + 1 && $0.last != "type" && $0.last != "enabled"
    }
    guard case .object(let object) = references.resolve(entry, in: common),
      let type = object["type"]?.string
    else { return entry }
    let enabled = object["enabled"]?.bool ?? true
    let found = resolve(
      type, among: [.logicAdapter], noun: "logic adapter", at: path + ["type"],
      severity: enabled ? .error : .warning)
    var local = object
    for key in Self.entryKeys { local[key] = nil }
    guard let (_, adapter) = found else {
      let rest = references.resolve(.object(local), in: .init(prefix: path, schema: nil))
      return Self.joined(object, rest)
    }
    return Self.joined(
      object, complete(.object(local), for: adapter, at: path, lenient: !enabled))
  }

  static let entryKeys = ["type", "enabled"]

  /// Returns the keys that all entries have, then the adapter's own keys.
  private static func joined(_ entry: JSONObject, _ local: JSONValue) -> JSONValue {
    var result = JSONObject()
    for key in entryKeys { result[key] = entry[key] }
    for (key, value) in local.object ?? [:] { result[key] = value }
    return .object(result)
  }

  private static let entry = SharedSchemas.logicAdapters["items"].flatMap {
    SharedSchemas.compile($0)
  }
}

extension JSONValue {
  /// Returns the value with the part at `tokens` changed. Returns the same value if there is no
  /// such part.
  func replacing(
    _ tokens: ArraySlice<String>, by change: (JSONValue) -> JSONValue
  ) -> JSONValue {
    guard let token = tokens.first else { return change(self) }
    switch self {
    case .object(var object):
      object[token] = object[token]?.replacing(tokens.dropFirst(), by: change)
      return .object(object)
    case .array(var elements):
      guard let index = Int(token), elements.indices.contains(index) else { return self }
      elements[index] = elements[index].replacing(tokens.dropFirst(), by: change)
      return .array(elements)
    default: return self
    }
  }
}
