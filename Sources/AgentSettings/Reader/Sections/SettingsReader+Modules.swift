import AgentJSON
import AgentModules
import AgentText
import JSONSchema

extension SettingsReader {
  /// Reads all enabled modules and their entries in `modules`.
  mutating func readModules() -> [ModuleSettings] {
    let entries = root["modules"]?.object ?? [:]
    for name in entries.keys where catalog.module(name) == nil { reportUnknown(name) }
    return catalog.modules.map { readModule($0, entries[$0.name]?.object ?? [:]) }
  }

  /// Returns the rights that `modules` adds to those of the manifests. Paths are relative to the
  /// agent's folder.
  static func permissions(_ root: JSONValue, _ folder: String) -> [String: Permissions] {
    (root["modules"]?.object ?? [:]).reduce(into: [:]) { permissions, entry in
      guard let granted = entry.value["permissions"] else { return }
      // An invalid path permits nothing. It is reported where the module is read.
      func paths(_ key: String, _ purpose: PermittedPath.Purpose) -> [String] {
        (granted[key]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }.compactMap {
          (try? PermittedPath($0, for: purpose, in: folder))?.text
        }
      }
      permissions[entry.key] = Permissions(
        read: paths("read", .read), write: paths("write", .write), run: paths("run", .run))
    }
  }

  /// Reports the paths that ``permissions(_:_:)`` has left out.
  private mutating func checkPermissions(_ entry: JSONObject, at path: [String]) {
    let purposes: [(String, PermittedPath.Purpose)] = [
      ("read", .read), ("write", .write), ("run", .run),
    ]
    for (key, purpose) in purposes {
      let texts = (entry["permissions"]?[key]?.array ?? []).map(\.string)
      for (index, text) in texts.enumerated() {
        guard let text, !text.isEmpty else { continue }
        do {
          _ = try PermittedPath(text, for: purpose, in: folder.path)
        } catch {
          add(
            "invalid_permission", at: path + ["permissions", key, String(index)],
            message: "\(JSONValue.string(text).text()) \(error.message)",
            expected: "a path", found: JSONValue.string(text).text())
        }
      }
    }
  }

  /// Refuses a module with network access in an agent whose API needs no token on this machine.
  /// Such a module could act as an administrator.
  private mutating func checkNetwork(of manifest: Manifest) {
    guard manifest.permissions.network == .any,
      root["http"]?["allow_local_without_token"]?.bool == true
    else { return }
    add(
      "module_reaches_api", at: ["http", "allow_local_without_token"],
      message:
        "the module \"\(manifest.name)\" may open any network connection, so with this it may"
        + " do everything with the agent. Remove the key and use a token, or disable the module.",
      expected: "false", found: "true")
  }

  /// Warns of an unknown module. Settings of a disabled module stay without a warning, because it
  /// may be enabled again.
  private mutating func reportUnknown(_ name: String) {
    if catalog.isBroken(name) { return }
    let names = catalog.modules.map(\.name)
    let nearest = NameSuggestion.of(name, among: names)
    let installed = catalog.installedModules.contains { $0.manifest?.name == name }
    let message =
      installed
      ? "the module \"\(name)\" isn't in enabled_modules: add it, or remove its settings."
      : "no enabled module is called \"\(name)\"."
        + NameSuggestion.question(nearest)
    add(
      installed ? "module_not_enabled" : "unknown_module", at: ["modules"], key: name,
      message: message, expected: "an enabled module", found: "\"\(name)\"", suggestion: nearest,
      severity: installed ? .warning : .error)
  }

  private mutating func readModule(_ manifest: Manifest, _ entry: JSONObject) -> ModuleSettings {
    let path = ["modules", manifest.name]
    checkPermissions(entry, at: path)
    checkNetwork(of: manifest)
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
      let nearest = NameSuggestion.of(name, among: names)
      add(
        "unknown_contribution", at: path, key: name,
        message: "\"\(manifest.name)\" has no \(kind.noun) \"\(name)\"."
          + NameSuggestion.question(nearest),
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

  /// Returns the state of a contribution without settings. It works with its defaults, or it is
  /// unavailable. The latter is no mistake, because nobody has to use all contributions of a
  /// module.
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
