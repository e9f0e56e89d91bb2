import AgentJSON
import JSONSchema

extension ManifestReader {
  /// Reads `processes`, `logic_adapters`, `actions`, `notifiers`, `strategies` and `routes`.
  mutating func readContributions() -> [Contribution] {
    var contributions: [Contribution] = []
    for (name, value) in members("processes") {
      // The schema has already reported an unknown kind.
      guard let kind = value["kind"]?.string.flatMap(ContributionKind.init(rawValue:)),
        kind.isProcess
      else { continue }
      checkReserved(value["settings"], of: name)
      if let process = readContribution(kind, name: name, value: value) {
        contributions.append(process)
      }
    }
    for kind in ContributionKind.services {
      for (name, value) in members(kind.manifestKey) {
        if let service = readContribution(kind, name: name, value: value) {
          contributions.append(service)
        }
      }
    }
    checkRoutes(contributions)
    return contributions
  }

  private mutating func readContribution(
    _ kind: ContributionKind, name: String, value: JSONValue
  ) -> Contribution? {
    guard value.object != nil else { return nil }
    let tokens = [kind.manifestKey, name]
    let settings = value["settings"] ?? [:]
    _ = compile(value["input"], at: tokens + ["input"])
    _ = compile(value["output"], at: tokens + ["output"])
    guard
      let schema = compile(SettingsSchema.closing(settings), at: tokens + ["settings"])
    else { return nil }
    checkDescribesObject(settings, at: tokens + ["settings"])
    let route = kind == .route ? readRoute(value, at: tokens) : nil
    if kind == .route, route == nil { return nil }
    if kind.isProcess { check(example: value["example"], against: schema, at: tokens) }
    return Contribution(
      kind: kind, name: name, title: value["title"]?.string ?? name,
      description: value["description"]?.string ?? "", example: value["example"],
      settings: settings, settingsSchema: schema, input: value["input"], output: value["output"],
      restart: kind.isProcess ? value["restart"]?.string : nil, route: route)
  }

  /// Compiles a schema in the manifest. A value that isn't a schema at all was already reported by
  /// the manifest's own schema.
  private mutating func compile(_ schema: JSONValue?, at tokens: [String]) -> Schema? {
    guard let schema else { return nil }
    switch schema {
    case .object, .bool: break
    default: return nil
    }
    do {
      return try Schema(schema, registry: SharedSchemas.registry)
    } catch {
      for fault in error.all {
        add(
          "invalid_schema", at: tokens + (fault.document == nil ? fault.pointer.tokens : []),
          message: "this isn't a valid JSON Schema: \(fault.message)")
      }
      return nil
    }
  }

  private mutating func checkDescribesObject(_ settings: JSONValue, at tokens: [String]) {
    guard let type = settings["type"], type.string != "object" else { return }
    if type.array?.contains("object") == true { return }
    add(
      "settings_not_object", at: tokens + ["type"],
      message: "settings are always an object: expected \"object\", found \(type.text()).",
      expected: "\"object\"", found: type.text())
  }

  /// Checks the keys of a process's settings. They are in the same object as the host's keys, so no
  /// name may occur in both.
  private mutating func checkReserved(_ settings: JSONValue?, of process: String) {
    for key in settings?["properties"]?.object?.keys ?? [] where HostKeys.all.contains(key) {
      add(
        "reserved_key", at: ["processes", process, "settings", "properties", key],
        message: "\"\(key)\" belongs to the host in every process. Choose another name.",
        expected: "another name", found: "\"\(key)\"")
    }
  }

  private mutating func check(
    example: JSONValue?, against schema: Schema, at tokens: [String]
  ) {
    guard case .object(var settings)? = example else { return }
    for key in HostKeys.all { settings[key] = nil }
    for failure in schema.validate(JSONDocument(.object(settings)).root) {
      var problem = source.problem(
        failure, under: JSONPointer(tokens: tokens + ["example"]))
      problem.severity = .warning
      problem.code = "example_invalid"
      problem.message = "the example doesn't fit its own settings: " + problem.message
      add(problem)
    }
  }
}

/// The keys of a process's entry in `settings.json` that the host reads.
public enum HostKeys {
  /// The keys, in the order of the documentation.
  public static let all = [
    "type", "enabled", "description", "environment", "limits", "restart", "reload", "sandbox",
  ]
}
