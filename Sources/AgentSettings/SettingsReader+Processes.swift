import AgentJSON
import AgentModules

extension SettingsReader {
  /// All of `processes` whose types are known.
  mutating func readProcesses() -> [ProcessSettings] {
    var processes: [ProcessSettings] = []
    for (name, entry) in root["processes"]?.object ?? [:] {
      // What isn't an object, or has no type, was reported by the host's schema.
      guard case .object(let entry) = entry, let type = entry["type"]?.string else { continue }
      let enabled = entry["enabled"]?.bool ?? true
      guard let (module, contribution) = resolve(type, of: name, enabled: enabled) else {
        continue
      }
      processes.append(
        readProcess(name, type, module, contribution, enabled: enabled, entry: entry))
    }
    return processes
  }

  private mutating func readProcess(
    _ name: String, _ type: String, _ module: Manifest, _ contribution: Contribution,
    enabled: Bool, entry: JSONObject
  ) -> ProcessSettings {
    let path = ["processes", name]
    var own = entry
    for key in HostKeys.all { own[key] = nil }
    let settings = complete(.object(own), for: contribution, at: path, lenient: !enabled)
    let shared = root["modules"]?[module.name]
    let limits = readLimits(entry["limits"], at: path + ["limits"])
    let environment = readEnvironment(shared?["environment"])
      .merging(readEnvironment(entry["environment"])) { $1 }
    return ProcessSettings(
      name: name, type: type, module: module, contribution: contribution, enabled: enabled,
      description: entry["description"]?.string ?? "", settings: settings,
      environment: environment,
      limits: limits.over(readLimits(shared?["limits"], at: nil)),
      restart: choice(entry["restart"]) ?? .permanent,
      reload: choice(entry["reload"]) ?? .exclusive,
      sandbox: choice(entry["sandbox"]) ?? choice(shared?["sandbox"]) ?? .default, source: source)
  }

  /// What a process's type stands for. What keeps a disabled one from being run is a warning: it
  /// isn't run.
  private mutating func resolve(
    _ type: String, of process: String, enabled: Bool
  ) -> (Manifest, Contribution)? {
    resolve(
      type, among: ContributionKind.processes, noun: "process",
      at: ["processes", process, "type"], severity: enabled ? .error : .warning)
  }

  /// Finds a contribution, or says why there is none.
  mutating func resolve(
    _ type: String, among kinds: Set<ContributionKind>, noun: String, at path: [String],
    severity: Problem.Severity = .error
  ) -> (Manifest, Contribution)? {
    switch catalog.resolve(type: type, among: kinds) {
    case .found(let manifest, let contribution): return (manifest, contribution)
    case .ambiguous(let names):
      let list = names.map { "\"\($0)\"" }.joined(separator: " or ")
      add(
        "ambiguous_type", at: path,
        message: "several modules offer a \(noun) \"\(type)\": write \(list).",
        expected: list, found: "\"\(type)\"", severity: severity)
    case .notEnabled(let module):
      add(
        "module_not_enabled", at: path,
        message: "the module \"\(module)\" offers it but isn't in enabled_modules: add it.",
        expected: "a \(noun) of an enabled module", found: "\"\(type)\"", suggestion: module,
        severity: severity)
    case .otherKind(let manifest, let other):
      add(
        "wrong_kind", at: path,
        message: "\"\(other.name)\" is \(other.kind.phrase) of the module \"\(manifest.name)\","
          + " not a \(noun). It is configured under \(Self.home(of: other, in: manifest)).",
        expected: "a \(noun)", found: other.kind.phrase, severity: severity)
    case .unknown(let nearest):
      unknown(type, noun: noun, nearest: nearest, at: path, severity: severity)
    }
    return nil
  }

  private static func home(of contribution: Contribution, in manifest: Manifest) -> String {
    contribution.kind.isProcess
      ? "processes"
      : "modules.\(manifest.name).\(contribution.kind.manifestKey).\(contribution.name)"
  }

  private mutating func unknown(
    _ type: String, noun: String, nearest: String?, at path: [String], severity: Problem.Severity
  ) {
    let module = type.split(separator: "/").first.map { String($0) } ?? ""
    // That module's own problem says it all.
    if type.contains("/"), catalog.isBroken(module) { return }
    var message = "no module offers a \(noun) \"\(type)\"."
    if let nearest {
      message += " Did you mean \"\(nearest)\"?"
    } else if !catalog.brokenModules.isEmpty {
      let names = catalog.brokenModules.sorted().joined(separator: ", ")
      message = "no module that can be used offers a \(noun) \"\(type)\" (can't be used: \(names))."
    } else {
      message += " `agent module list` shows what there is."
    }
    add(
      "unknown_type", at: path, message: message, expected: "a \(noun) of an enabled module",
      found: "\"\(type)\"", suggestion: nearest, severity: severity)
  }

  /// Each entry of a list of logic adapters, against the schema of its own module.
  mutating func checkAdapters(_ list: JSONValue?, at path: [String]) {
    for (index, entry) in (list?.array ?? []).enumerated() {
      guard case .object(var own) = entry, let type = own["type"]?.string else { continue }
      let place = path + [String(index)]
      let enabled = own["enabled"]?.bool ?? true
      guard
        let (_, adapter) = resolve(
          type, among: [.logicAdapter], noun: "logic adapter", at: place + ["type"],
          severity: enabled ? .error : .warning)
      else { continue }
      own["type"] = nil
      own["enabled"] = nil
      _ = complete(.object(own), for: adapter, at: place, lenient: !enabled)
    }
  }
}
