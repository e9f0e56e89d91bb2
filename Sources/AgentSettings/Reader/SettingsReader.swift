import AgentJSON
import AgentModules
import JSONSchema

/// Reads a parsed `settings.json` and collects all problems.
///
/// The host's schema checks the host's keys. Each process and contribution is checked alone against
/// its own module's schema, so that each message names the right one.
struct SettingsReader {
  let source: SourceFile
  let folder: AgentFolder
  let catalog: ModuleCatalog
  private(set) var problems: [Problem]
  /// Whether there are more problems than are reported.
  private var isCut = false
  /// The maximum number of reported errors. Rationale: the place of each is looked up in the file.
  /// Settings with ten thousand wrong keys would take half a minute.
  private static let maxErrors = [Problem].largest
  var references: ReferenceResolver

  /// The file with the host's references replaced. References in the modules' settings stay.
  private(set) var root: JSONValue

  static let schema = SharedSchemas.compile(SettingsSchemas.settings)

  init(
    source: SourceFile, folder: AgentFolder, options: SettingsFile.Options,
    table: EnvironmentTable, problems: [Problem]
  ) {
    self.source = source
    self.folder = folder
    var references = ReferenceResolver(
      source: source, table: table, severity: options.strict ? .error : .warning)
    let root = references.resolve(
      source.document.root.value,
      in: .init(prefix: [], schema: Self.schema, excludes: Self.belongsToModule))
    self.problems = problems
    self.references = references
    self.root = root
    self.catalog = ModuleCatalog(
      folder: folder.path, named: folder.name, enabled: Self.enabledModules(root, source),
      permissions: Self.permissions(root, folder.path), host: options.host)
  }

  mutating func read() -> SettingsResult {
    problems += catalog.problems
    // Secrets are marked before any check, because a check may quote a value in its message.
    hidePasswords()
    let checked = references.isNeeded ? JSONDocument(root) : source.document
    markSecrets(in: checked.root)
    check(checked.root, against: Self.schema, at: [])
    let processes = readProcesses()
    let modules = readModules()
    let agent = readIdentity()
    let supervision = readSupervision()
    let events = readEvents()
    let store = readStore()
    let http = readHTTP()
    let notifications = readNotifications(modules, checked.root)
    let tasks = readTasks(modules)
    checkGrants(of: modules, tasks.types)
    let bots = readBots(modules, processes)
    // Pools name processes, and bots name processes and modules, so both are read after these.
    let all = withInstances(processes, bots.pools)
    let logging = readLogging()
    let access = readAccess()
    let traces = readTraces(of: agent)
    let schedules = readSchedules()
    problems += references.problems
    if isCut {
      problems.append(
        source.problem(
          "more_problems", at: .root,
          message:
            "there are more problems than these \(Self.maxErrors). Correct them, and check again."))
    }
    // The redactor comes last, when all secrets are known. It also covers the problems found
    // before.
    let redactor = Redactor(references.secrets)
    let reported = problems.map { $0.redacted(by: redactor) }.inReadingOrder(first: source.name)
    let settings = AgentSettings(
      folder: folder, agent: agent, processes: all, modules: modules,
      supervision: supervision, logging: logging, events: events, access: access,
      notifications: notifications, tasks: tasks, bots: bots, schedules: schedules,
      store: store, http: http, traces: traces, catalog: catalog,
      variables: references.table, redactor: redactor)
    guard reported.hasErrors else {
      return SettingsResult(
        problems: reported, settings: settings, catalog: catalog, document: source.document,
        redactor: redactor)
    }
    let wrong = isCut ? nil : reported.sectionsWithErrors(in: source.name)
    return SettingsResult(
      problems: reported, safe: settings.reduced(without: wrong), catalog: catalog,
      document: source.document, redactor: redactor)
  }

  private static func enabledModules(_ root: JSONValue, _ source: SourceFile) -> [ModuleReference] {
    let list = root["enabled_modules"]?.array ?? []
    return list.enumerated().compactMap { index, value in
      guard let text = value.string, !text.isEmpty else { return nil }
      let pointer = JSONPointer(tokens: ["enabled_modules", String(index)])
      return ModuleReference(
        text, file: source.name, place: source.place(of: pointer), at: pointer)
    }
  }

  /// Returns whether a module's schema describes the value at a path.
  private static func belongsToModule(_ path: [String]) -> Bool {
    switch path.first {
    case "processes": path.count == 3 && !HostKeys.all.contains(path.last ?? "")
    case "modules": path.count == 5 && path.last == "settings"
    default: false
    }
  }

  // MARK: For all parts

  /// Reports the failures of a value against its schema. `prefix` is the value's place in the file.
  mutating func check(_ node: JSONNode, against schema: Schema?, at prefix: [String]) {
    guard problems.count(where: { $0.severity == .error }) < Self.maxErrors else {
      isCut = isCut || schema?.isValid(node) != true
      return
    }
    let unknown = unresolved(in: node, at: prefix)
    let failures = schema?.validate(
      node, ignoring: unknown.isEmpty ? nil : { unknown.contains($0.range.lowerBound) })
    guard let failures, !failures.isEmpty else { return }
    // The host's schema marks all secrets of the host's keys, so their names don't matter.
    let secrets = prefix.isEmpty ? nil : SecretPlaces(schema, in: node)
    let entry = source.document.node(at: JSONPointer(tokens: prefix))
    let hostKeys = Self.hostKeys(at: prefix).filter { entry?[$0] == nil }
    let hostObjects = Self.isProcess(prefix) ? Self.hostObjects : [:]
    for failure in failures {
      let failure =
        failure.instance == .root ? failure.knowing(hostKeys, inside: hostObjects) : failure
      let pointer = JSONPointer(tokens: prefix + failure.instance.tokens)
      var problem = source.problem(failure, under: JSONPointer(tokens: prefix))
      if isSecret(pointer) || secrets?.contains(failure.instance) == true {
        problem.hideValue(node.node(at: failure.instance)?.kind)
      }
      problems.append(problem)
    }
  }

  /// Returns whether the value at a place is secret or a part of a secret value.
  func isSecret(_ pointer: JSONPointer) -> Bool {
    (0...pointer.tokens.count).contains { length in
      references.secretPlaces.contains(JSONPointer(tokens: Array(pointer.tokens.prefix(length))))
    }
  }

  /// Returns the host's keys in a value that a module's schema checks: an entry of `processes`, or
  /// of a list of logic adapters.
  private static func hostKeys(at prefix: [String]) -> [String] {
    if isProcess(prefix) { return HostKeys.all }
    return prefix.last.map { Int($0) != nil } == true ? entryKeys : []
  }

  private static func isProcess(_ prefix: [String]) -> Bool {
    prefix.count == 2 && prefix.first == "processes"
  }

  /// The keys of the objects among a process's host keys.
  private static let hostObjects: [String: [String]] = {
    let limits = SettingsSchemas.settings["$defs"]?["limits"]?["properties"]?.object?.keys
    return ["limits": limits ?? []]
  }()

  /// Returns the nodes whose variables are missing. Checks leave them out.
  func unresolved(in node: JSONNode, at prefix: [String]) -> Set<Int> {
    var offsets: Set<Int> = []
    for pointer in references.unresolved where pointer.tokens.starts(with: prefix) {
      let inside = JSONPointer(tokens: Array(pointer.tokens.dropFirst(prefix.count)))
      if let value = node.node(at: inside) { offsets.insert(value.range.lowerBound) }
    }
    return offsets
  }

  mutating func add(
    _ code: String, at tokens: [String], key: String? = nil, message: String,
    expected: String? = nil, found: String? = nil, suggestion: String? = nil,
    severity: Problem.Severity = .error
  ) {
    guard problems.takes(severity) else {
      isCut = isCut || severity == .error
      return
    }
    problems.append(
      source.problem(
        code, at: JSONPointer(tokens: tokens), key: key, message: message, expected: expected,
        found: found, suggestion: suggestion, severity: severity))
  }

  /// Completes and checks a module's settings: references are replaced and defaults are filled in.
  mutating func complete(
    _ value: JSONValue, for contribution: Contribution, at prefix: [String], lenient: Bool = false
  ) -> JSONValue {
    let schema = contribution.settingsSchema
    let lists = contribution.hasLogicAdapters ? adapterLists(in: value, by: schema) : []
    var completed = value
    for list in lists {
      completed = completed.replacing(list.tokens[...]) {
        completeAdapters($0, at: prefix + list.tokens)
      }
    }
    let done = lists.map { prefix + $0.tokens }
    let resolved = references.resolve(
      completed,
      in: .init(prefix: prefix, schema: schema, lenient: lenient) { path in done.contains(path) })
    // The check is made before defaults are filled in. Otherwise no missing key would be left to
    // suggest for an unknown one.
    let node = JSONDocument(resolved).root
    let secrets = contribution.hasSecrets ? schema.secrets(in: node) : []
    for pointer in secrets {
      guard let secret = resolved.value(at: pointer) else { continue }
      references.markSecret(secret, at: JSONPointer(tokens: prefix + pointer.tokens))
    }
    markTexts(in: resolved, by: schema)
    check(node, against: schema, at: prefix)
    if contribution.hasQueries { checkQueries(node, against: schema, at: prefix) }
    return schema.defaults(for: resolved)
  }
}

extension Problem {
  fileprivate func redacted(by redactor: Redactor) -> Problem {
    var problem = self
    problem.message = redactor.redact(message)
    problem.expected = expected.map(redactor.redact)
    problem.found = found.map(redactor.redact)
    problem.suggestion = suggestion.map(redactor.redact)
    return problem
  }
}
