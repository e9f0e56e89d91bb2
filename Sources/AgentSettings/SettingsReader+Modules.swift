import AgentJSON
import AgentModules
import JSONSchema

extension SettingsReader {
  /// All enabled modules, with what `modules` says of them.
  mutating func readModules() -> [ModuleSettings] {
    let entries = root["modules"]?.object ?? [:]
    for name in entries.keys where catalog.module(name) == nil { reportUnknown(name) }
    return catalog.modules.map { readModule($0, entries[$0.name]?.object ?? [:]) }
  }

  /// What modules may beside what their manifests say. Paths are relative to the agent's folder.
  static func permissions(_ root: JSONValue, _ folder: String) -> [String: Permissions] {
    (root["modules"]?.object ?? [:]).reduce(into: [:]) { permissions, entry in
      guard let granted = entry.value["permissions"] else { return }
      func paths(_ key: String) -> [String] {
        (granted[key]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }.map {
          FileSystem.join(folder, $0)
        }
      }
      permissions[entry.key] = Permissions(
        read: paths("read"), write: paths("write"), run: paths("run"))
    }
  }

  /// Settings of a module that was disabled may stay for when it is enabled again.
  private mutating func reportUnknown(_ name: String) {
    if catalog.isBroken(name) { return }
    let names = catalog.modules.map(\.name)
    let nearest = LikelyName.of(name, among: names)
    let installed = catalog.installedModules.contains { $0.manifest?.name == name }
    let message =
      installed
      ? "the module \"\(name)\" isn't in enabled_modules: add it, or remove its settings."
      : "no enabled module is called \"\(name)\"."
        + (nearest.map { " Did you mean \"\($0)\"?" } ?? "")
    add(
      installed ? "module_not_enabled" : "unknown_module", at: ["modules"], key: name,
      message: message, expected: "an enabled module", found: "\"\(name)\"", suggestion: nearest,
      severity: installed ? .warning : .error)
  }

  private mutating func readModule(_ manifest: Manifest, _ entry: JSONObject) -> ModuleSettings {
    let path = ["modules", manifest.name]
    let isolation: ModuleSettings.Isolation = choice(entry["isolation"]) ?? .worker
    if isolation == .host, case .command = manifest.entry {
      add(
        "isolation_needs_library", at: path + ["isolation"],
        message: "\"\(manifest.name)\" is a program of its own and can't be loaded into the host."
          + " Remove the key, or write \"worker\".",
        expected: "\"worker\"", found: "\"host\"")
    }
    return ModuleSettings(
      manifest: manifest, isolation: isolation,
      limits: readLimits(entry["limits"], at: path + ["limits"]),
      sandbox: choice(entry["sandbox"]) ?? .default,
      environment: readEnvironment(entry["environment"], at: path + ["environment"]),
      taskTypes: entry["permissions"]?["tasks"]?.array?.compactMap(\.string) ?? [],
      contributions: ContributionKind.services.flatMap {
        readContributions($0, of: manifest, entry[$0.manifestKey]?.object ?? [:])
      })
  }

  private mutating func readContributions(
    _ kind: ContributionKind, of manifest: Manifest, _ entries: JSONObject
  ) -> [ContributionSettings] {
    let offers = manifest.offers.filter { $0.kind == kind }
    let path = ["modules", manifest.name, kind.manifestKey]
    let names = offers.map(\.name)
    for name in entries.keys where !names.contains(name) {
      let nearest = LikelyName.of(name, among: names)
      add(
        "unknown_contribution", at: path, key: name,
        message: "\"\(manifest.name)\" has no \(kind.noun) \"\(name)\"."
          + (nearest.map { " Did you mean \"\($0)\"?" } ?? ""),
        expected: names.isEmpty ? "nothing" : names.joined(separator: ", "),
        found: "\"\(name)\"", suggestion: nearest)
    }
    return offers.map { readContribution($0, entries[$0.name], at: path + [$0.name]) }
  }

  private mutating func readContribution(
    _ contribution: Contribution, _ entry: JSONValue?, at path: [String]
  ) -> ContributionSettings {
    let enabled = entry?["enabled"]?.bool ?? true
    guard let settings = entry?["settings"], settings.object != nil else {
      return unconfigured(contribution, enabled: enabled)
    }
    let complete = complete(
      settings, for: contribution, at: path + ["settings"], lenient: !enabled)
    return ContributionSettings(
      contribution: contribution, state: enabled ? .enabled : .disabled, settings: complete)
  }

  /// Without settings it works with its defaults, or not at all; the latter is no mistake, because
  /// nobody has to use all of a module.
  private func unconfigured(
    _ contribution: Contribution, enabled: Bool
  ) -> ContributionSettings {
    let settings = contribution.settingsSchema.defaults(for: [:])
    let failures =
      enabled ? contribution.settingsSchema.validate(JSONDocument(settings).root) : []
    let missing = failures.compactMap { $0.key ?? $0.instance.last }
    let state: ContributionSettings.State =
      !enabled ? .disabled : failures.isEmpty ? .enabled : .needsSettings(missing)
    return ContributionSettings(contribution: contribution, state: state, settings: settings)
  }
}
