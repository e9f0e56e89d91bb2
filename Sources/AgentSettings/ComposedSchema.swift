import AgentJSON
import AgentModules

/// One schema for an agent's whole `settings.json`, so that any editor completes and checks it.
///
/// Each process's keys depend on its `type` (`if` … `then`), and every value may be written as a
/// reference. The host itself checks each part against its own schema: messages are better so.
struct ComposedSchema {
  let catalog: ModuleCatalog?

  var value: JSONValue {
    guard case .object(var schema) = SettingsSchemas.settings,
      var properties = schema["properties"]?.object, var definitions = schema["$defs"]?.object
    else { return SettingsSchemas.settings }
    schema["$id"] = nil
    definitions["output"] = Self.embedded(SharedSchemas.output)
    definitions["logic_adapters"] = adapters
    properties["processes"] = processes(properties["processes"])
    properties["modules"] = modules(properties["modules"])
    properties["enabled_modules"] = properties["enabled_modules"].map(enabledModules)
    schema["properties"] = .object(properties)
    schema["$defs"] = .object(definitions)
    return ReferenceTolerance.applied(to: Self.relinked(.object(schema)))
  }

  private var modules: [Manifest] { catalog?.modules ?? [] }

  private func enabledModules(_ schema: JSONValue) -> JSONValue {
    let names = (catalog?.installedModules ?? []).map { JSONValue.string($0.name) }
    return schema.merging(patch: ["items": ["examples": .array(names)]])
  }

  // MARK: Processes

  private func processes(_ schema: JSONValue?) -> JSONValue {
    guard case .object(var schema)? = schema,
      case .object(var entry)? = schema["additionalProperties"]
    else { return schema ?? true }
    let offers = named(ContributionKind.processes)
    entry["properties"] = entry["properties"]?.merging(
      patch: ["type": ["enum": .array(offers.map { .string($0.name) })]])
    let host = entry["properties"]?.object?.keys ?? []
    entry["allOf"] = .array(
      offers.map { choice($0.name, $0.contribution, hostKeys: host, closed: true) })
    schema["additionalProperties"] = .object(entry)
    return .object(schema)
  }

  /// The names under which an offer may be written: alone where it is the only one, and in full.
  private func named(_ kinds: Set<ContributionKind>) -> [(name: String, contribution: Contribution)]
  {
    var count: [String: Int] = [:]
    let offers = modules.flatMap { manifest in
      manifest.offers.filter { kinds.contains($0.kind) }.map { (manifest, $0) }
    }
    for (_, offer) in offers { count[offer.name, default: 0] += 1 }
    return offers.flatMap { manifest, offer in
      let full = (name: "\(manifest.name)/\(offer.name)", contribution: offer)
      return count[offer.name] == 1 ? [(offer.name, offer), full] : [full]
    }
  }

  /// `if` the type is this one, `then` its settings; the host's keys stay admitted.
  private func choice(
    _ name: String, _ contribution: Contribution, hostKeys: [String], closed: Bool
  ) -> JSONValue {
    var then = SettingsSchema.closing(contribution.settings).object ?? [:]
    var properties = then["properties"]?.object ?? [:]
    for key in hostKeys { properties[key] = true }
    then["properties"] = .object(properties)
    if !contribution.description.isEmpty { then["description"] = .string(contribution.description) }
    return [
      "if": ["properties": ["type": ["const": .string(name)]], "required": ["type"]],
      "then": .object(then),
    ]
  }

  private var adapters: JSONValue {
    let offers = named([.logicAdapter])
    var schema = Self.embedded(SharedSchemas.logicAdapters).object ?? [:]
    var items = schema["items"]?.object ?? [:]
    items["properties"] = items["properties"]?.merging(
      patch: ["type": ["enum": .array(offers.map { .string($0.name) })]])
    items["allOf"] = .array(
      offers.map { choice($0.name, $0.contribution, hostKeys: ["type", "enabled"], closed: true) })
    schema["items"] = .object(items)
    return .object(schema)
  }

  // MARK: Modules

  private func modules(_ schema: JSONValue?) -> JSONValue {
    guard case .object(var schema)? = schema, let entry = schema["additionalProperties"]
    else { return schema ?? true }
    var properties = JSONObject()
    for manifest in modules { properties[manifest.name] = module(manifest, entry) }
    schema["properties"] = .object(properties)
    schema["additionalProperties"] = false
    return .object(schema)
  }

  private func module(_ manifest: Manifest, _ entry: JSONValue) -> JSONValue {
    var entry = entry.object ?? [:]
    var properties = entry["properties"]?.object ?? [:]
    for kind in ContributionKind.services {
      var members = JSONObject()
      for offer in manifest.offers where offer.kind == kind {
        members[offer.name] = [
          "type": "object", "additionalProperties": false,
          "properties": [
            "enabled": ["type": "boolean", "default": true],
            "settings": SettingsSchema.closing(offer.settings),
          ],
        ]
      }
      properties[kind.manifestKey] = [
        "type": "object", "properties": .object(members), "additionalProperties": false,
      ]
    }
    entry["properties"] = .object(properties)
    if !manifest.description.isEmpty { entry["description"] = .string(manifest.description) }
    return .object(entry)
  }

  // MARK: References between schemas

  private static func embedded(_ schema: JSONValue) -> JSONValue {
    schema.merging(patch: ["$id": .null, "$schema": .null])
  }

  /// Editors know no `agent:` addresses: such references lead into this document.
  private static func relinked(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(var object):
      for (key, member) in object {
        if key == "$ref", let target = member.string, target.hasPrefix("agent:") {
          object[key] = .string("#/$defs/" + target.dropFirst("agent:".count))
        } else {
          object[key] = relinked(member)
        }
      }
      return .object(object)
    case .array(let elements): return .array(elements.map(relinked))
    default: return value
    }
  }
}
