import AgentJSON
import AgentModules

extension SettingsReader {
  /// Reads all entries of `processes` with a known type.
  mutating func readProcesses() -> [ProcessSettings] {
    var processes: [ProcessSettings] = []
    for (name, entry) in root["processes"]?.object ?? [:] {
      // The host's schema has reported an entry that isn't an object or has no type.
      guard case .object(let entry) = entry, let type = entry["type"]?.string else { continue }
      checkName(name)
      let enabled = entry["enabled"]?.bool ?? true
      guard let (module, contribution) = resolve(type, of: name, enabled: enabled) else {
        continue
      }
      processes.append(
        readProcess(
          name, type: type, module: module, contribution: contribution, enabled: enabled,
          entry: entry))
    }
    return processes
  }

  private mutating func readProcess(
    _ name: String, type: String, module: Manifest, contribution: Contribution,
    enabled: Bool, entry: JSONObject
  ) -> ProcessSettings {
    let path = ["processes", name]
    var local = entry
    for key in HostKeys.all { local[key] = nil }
    let settings = complete(.object(local), for: contribution, at: path, lenient: !enabled)
    let shared = root["modules"]?[module.name]
    let limits = readLimits(entry["limits"], at: path + ["limits"])
    let environment = readEnvironment(shared?["environment"], at: nil)
      .merging(readEnvironment(entry["environment"], at: path + ["environment"])) { $1 }
    return ProcessSettings(
      name: name, key: name, pool: nil, type: type, module: module, contribution: contribution,
      enabled: enabled,
      description: entry["description"]?.string ?? "", settings: settings,
      environment: environment,
      limits: limits.over(readLimits(shared?["limits"], at: nil)),
      restart: choice(entry["restart"]) ?? choice(contribution.restart.map { .string($0) })
        ?? .permanent,
      reload: choice(entry["reload"]) ?? .exclusive,
      sandbox: choice(entry["sandbox"]) ?? choice(shared?["sandbox"]) ?? .default, source: source)
  }

  /// Refuses a name whose log file would be the host's own, because both are in one folder.
  private mutating func checkName(_ name: String) {
    guard name == "agent" else { return }
    add(
      "reserved_name", at: ["processes"], key: name,
      message: "\"agent\" is the host's own name. Choose another one for this process.",
      expected: "another name", found: "\"agent\"")
  }

  /// Finds the contribution of a process's type. A problem of a disabled process is only a warning,
  /// because it doesn't run.
  private mutating func resolve(
    _ type: String, of process: String, enabled: Bool
  ) -> (Manifest, Contribution)? {
    resolve(
      type, among: ContributionKind.processes, noun: "process",
      at: ["processes", process, "type"], severity: enabled ? .error : .warning)
  }

  /// Finds a contribution, or reports why there is none.
  mutating func resolve(
    _ type: String, among kinds: Set<ContributionKind>, noun: String, at path: [String],
    severity: Problem.Severity = .error
  ) -> (Manifest, Contribution)? {
    if references.unresolved.contains(JSONPointer(tokens: path)) { return nil }
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
          + " not a \(noun). It is configured under \(Self.section(of: other, in: manifest)).",
        expected: "a \(noun)", found: other.kind.phrase, severity: severity)
    case .unknown(let nearest):
      unknown(type, noun: noun, nearest: nearest, at: path, severity: severity)
    }
    return nil
  }

  private static func section(of contribution: Contribution, in manifest: Manifest) -> String {
    contribution.kind.isProcess
      ? "processes"
      : "modules.\(manifest.name).\(contribution.kind.manifestKey).\(contribution.name)"
  }

  private mutating func unknown(
    _ type: String, noun: String, nearest: String?, at path: [String], severity: Problem.Severity
  ) {
    let module = type.split(separator: "/").first.map { String($0) } ?? ""
    // That module's own problem is reported already and is the cause of this one.
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

}
