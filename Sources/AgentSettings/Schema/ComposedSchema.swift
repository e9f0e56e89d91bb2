import AgentJSON
import AgentModules

/// One schema for an agent's whole `settings.json`. Editors use it for completion and checks.
///
/// The keys of a process depend on its `type` (`if` … `then`). A reference may stand in place of
/// every value. The host itself checks each part against its own schema, because the messages are
/// better then.
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
    let host = properties["processes"]?["additionalProperties"]?["properties"]?.object?.keys ?? []
    for (manifest, offer) in offers {
      let keys = offer.kind.isProcess ? host : []
      definitions[Self.definition(offer, manifest)] = settings(of: offer, manifest, beside: keys)
      guard offer.kind == .logicAdapter else { continue }
      definitions[Self.definition(offer, manifest, listed: true)] = settings(
        of: offer, manifest, listed: true, beside: ["type", "enabled"])
    }
    schema["properties"] = .object(properties)
    schema["$defs"] = .object(definitions)
    return ReferenceTolerance.applied(to: .object(schema))
  }

  // MARK: Settings of contributions

  /// The definition of a contribution's settings, such as `trades.monitor.x`. As an entry of a list
  /// it also has the list's keys.
  private static func definition(
    _ offer: Contribution, _ manifest: Manifest, listed: Bool = false
  ) -> String {
    "\(manifest.name).\(offer.kind.rawValue).\(offer.name)" + (listed ? ".entry" : "")
  }

  private static func link(_ definition: String) -> JSONValue {
    ["$ref": .string("#/$defs/" + definition)]
  }

  private func settings(
    of offer: Contribution, _ manifest: Manifest, listed: Bool = false, beside keys: [String]
  ) -> JSONValue {
    var settings = SettingsSchema.closing(offer.settings).object ?? [:]
    var properties = settings["properties"]?.object ?? [:]
    for key in keys { properties[key] = true }
    settings["properties"] = .object(properties)
    if settings["description"] == nil, !offer.description.isEmpty {
      settings["description"] = .string(offer.description)
    }
    let here = "#/$defs/" + Self.definition(offer, manifest, listed: listed)
    return SchemaLinks(here: here).moved(.object(settings))
  }

  private var modules: [Manifest] { catalog?.modules ?? [] }

  private func enabledModules(_ schema: JSONValue) -> JSONValue {
    let names = (catalog?.installedModules ?? []).map { JSONValue.string($0.folderName) }
    return schema.merging(patch: ["items": ["examples": .array(names)]])
  }

  // MARK: Processes

  private func processes(_ schema: JSONValue?) -> JSONValue {
    guard case .object(var schema)? = schema,
      case .object(var entry)? = schema["additionalProperties"]
    else { return schema ?? true }
    constrain(&entry, to: ContributionKind.processes, listed: false)
    schema["additionalProperties"] = .object(entry)
    return .object(schema)
  }

  private var adapters: JSONValue {
    var schema = Self.embedded(SharedSchemas.logicAdapters).object ?? [:]
    var items = schema["items"]?.object ?? [:]
    constrain(&items, to: [.logicAdapter], listed: true)
    schema["items"] = .object(items)
    return .object(schema)
  }

  /// `type` is the name of one offer. `if` it is this name, `then` the settings of that offer
  /// apply.
  private func constrain(
    _ entry: inout JSONObject, to kinds: Set<ContributionKind>, listed: Bool
  ) {
    let named = named(kinds)
    entry["properties"] = entry["properties"]?.merging(
      patch: ["type": ["enum": .array(named.map { .string($0.0) })]])
    if named.isEmpty { return }
    entry["allOf"] = .array(
      named.map { name, manifest, offer in
        [
          "if": ["properties": ["type": ["const": .string(name)]], "required": ["type"]],
          "then": Self.link(Self.definition(offer, manifest, listed: listed)),
        ]
      })
  }

  private var offers: [(Manifest, Contribution)] {
    modules.flatMap { manifest in manifest.offers.map { (manifest, $0) } }
  }

  /// The names of each offer: the full name, and the short name if only one module has it.
  private func named(_ kinds: Set<ContributionKind>) -> [(String, Manifest, Contribution)] {
    let offers = offers.filter { kinds.contains($0.1.kind) }
    var count: [String: Int] = [:]
    for (_, offer) in offers { count[offer.name, default: 0] += 1 }
    return offers.flatMap { manifest, offer in
      let full = ("\(manifest.name)/\(offer.name)", manifest, offer)
      return count[offer.name] == 1 ? [(offer.name, manifest, offer), full] : [full]
    }
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
            "settings": Self.link(Self.definition(offer, manifest)),
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

  private static func embedded(_ schema: JSONValue) -> JSONValue {
    schema.merging(patch: ["$id": .null, "$schema": .null])
  }
}
