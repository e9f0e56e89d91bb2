import AgentJSON
import JSONSchema

/// Reads a parsed `module.json` and collects all its problems.
///
/// The schema checks the shapes of values. The checks after it test the rules that a schema can't
/// express. They tolerate wrong shapes, so that one mistake doesn't hide others.
struct ManifestReader {
  let source: SourceFile
  let directory: String
  let host: SemanticVersion
  private(set) var problems: [Problem] = []

  private var root: JSONValue

  private static let schema = SharedSchemas.compile(SharedSchemas.module)

  init(source: SourceFile, directory: String, host: SemanticVersion) {
    self.source = source
    self.directory = directory
    self.host = host
    self.root = source.document.root.value
  }

  /// Returns the manifest, or `nil` if an error makes it unusable.
  mutating func read() -> Manifest? {
    let failures = Self.schema?.validate(source.document.root) ?? []
    problems = failures.map { source.problem($0) }
    checkCharacters(root, at: [])
    checkName()
    let version = readVersion()
    let requires = readRequirements()
    let permissions = readPermissions()
    let contributions = readContributions()
    let functions = readFunctions()
    let entry = readEntry(hasCode: !contributions.isEmpty, hasFunctions: !functions.isEmpty)
    guard !problems.hasErrors, let version, let entry, let name = root["name"]?.string
    else { return nil }
    return Manifest(
      name: name, version: version, title: root["title"]?.string ?? name,
      description: root["description"]?.string ?? "", abi: root["abi"]?.int ?? Manifest.hostABI,
      entry: entry, requires: requires, permissions: permissions, contributions: contributions,
      functions: functions, directory: directory, file: source.name, document: source.document)
  }

  /// Adds a problem at a path of keys.
  mutating func add(
    _ code: String, at tokens: [String], message: String, expected: String? = nil,
    found: String? = nil, suggestion: String? = nil, severity: Problem.Severity = .error
  ) {
    guard problems.takes(severity) else { return }
    problems.append(
      source.problem(
        code, at: JSONPointer(tokens: tokens), message: message, expected: expected, found: found,
        suggestion: suggestion, severity: severity))
  }

  /// Adds a problem.
  mutating func add(_ problem: Problem) {
    if problems.takes(problem.severity) { problems.append(problem) }
  }

  /// Returns the members of an object at the root, in their order.
  func members(_ key: String) -> JSONObject { root[key]?.object ?? [:] }

  /// The source of the host's own events and consumers. A module with this name could publish
  /// events that look like the host's.
  private static let hostName = "agent"

  private mutating func checkName() {
    guard root["name"]?.string == Self.hostName else { return }
    add(
      "reserved_name", at: ["name"],
      message: "\"\(Self.hostName)\" is the host's own name. Choose another.",
      expected: "another name", found: "\"\(Self.hostName)\"")
  }

  private mutating func readVersion() -> SemanticVersion? {
    guard let text = root["version"]?.string else { return nil }
    if let version = SemanticVersion(text) { return version }
    add(
      "invalid_version", at: ["version"],
      message: "expected a version such as 1.2.0, found \"\(text)\".",
      expected: "a version such as 1.2.0", found: "\"\(text)\"")
    return nil
  }
}

// MARK: Entry

extension ManifestReader {
  private mutating func readEntry(hasCode: Bool, hasFunctions: Bool) -> Manifest.Entry? {
    switch (root["library"]?.string, root["command"]?.array) {
    case (_?, _?):
      add(
        "two_entries", at: ["command"],
        message: "a module has a \"library\" or a \"command\", not both. Remove one of them.",
        expected: "one of the two", found: "both")
      return nil
    case (let library?, nil): return readLibrary(library)
    case (nil, let command?): return .command(command.compactMap(\.string))
    case (nil, nil): return entryWithoutCode(hasCode: hasCode, hasFunctions: hasFunctions)
    }
  }

  private mutating func entryWithoutCode(hasCode: Bool, hasFunctions: Bool) -> Manifest.Entry? {
    if hasFunctions && !hasCode { return .functionsOnly }
    // A value of another type was reported already.
    if root["library"] != nil || root["command"] != nil || root.object == nil { return nil }
    add(
      "entry_missing", at: [],
      message: "missing key \"library\" (a shared library in this folder) or \"command\""
        + " (a program that speaks the worker protocol).",
      expected: "\"library\" or \"command\"", found: "neither")
    return nil
  }

  private mutating func readLibrary(_ library: String) -> Manifest.Entry? {
    guard FileSystem.staysInside(library) else {
      add(
        "path_outside_module", at: ["library"],
        message: "\"\(library)\" leads out of the module's folder. Put the library into the"
          + " folder and name it by a relative path.",
        expected: "a path inside the module's folder", found: "\"\(library)\"")
      return nil
    }
    checkABI()
    if !FileSystem.exists(FileSystem.join(directory, library)) {
      let name = root["name"]?.string ?? FileSystem.lastName(directory)
      add(
        "library_missing", at: ["library"],
        message: "\(library) isn't there yet. Build it with: agent build \(name)",
        expected: "a shared library", found: "no file", suggestion: "agent build \(name)",
        severity: .warning)
    }
    return .library(library)
  }

  private mutating func checkABI() {
    guard let abi = root["abi"] else {
      return add(
        "missing_key", at: [],
        message: "missing key \"abi\": the version of agent_module.h that the library was built"
          + " with. This host speaks \(Manifest.hostABI).",
        expected: "\(Manifest.hostABI)", found: "nothing", suggestion: "\"abi\": 1")
    }
    guard let number = abi.int, number != Manifest.hostABI, number > 0 else { return }
    add(
      "abi_mismatch", at: ["abi"],
      message: "The module speaks ABI \(number); this host speaks \(Manifest.hostABI)."
        + " Recompile it with this host's SDK.",
      expected: "\(Manifest.hostABI)", found: "\(number)")
  }
}

// MARK: Requirements

extension ManifestReader {
  private mutating func readRequirements() -> ModuleRequirements {
    let requires = root["requires"]
    var result = ModuleRequirements()
    result.packages = requires?["packages"]?.array?.compactMap(\.string) ?? []
    for (name, value) in requires?["modules"]?.object ?? [:] {
      guard let text = value.string else { continue }
      result.modules[name] = readRange(text, at: ["requires", "modules", name])
    }
    if let text = requires?["host"]?.string,
      let range = readRange(text, at: ["requires", "host"])
    {
      result.host = range
      checkHost(range)
    }
    return result
  }

  private mutating func readRange(_ text: String, at tokens: [String]) -> VersionRange? {
    if let range = VersionRange(text) { return range }
    add(
      "invalid_version_range", at: tokens,
      message: "expected a version range such as \">=1.2 <2\", \"^1.2\" or \"*\","
        + " found \"\(text)\".",
      expected: "a version range", found: "\"\(text)\"")
    return nil
  }

  private mutating func checkHost(_ range: VersionRange) {
    guard !range.contains(host) else { return }
    add(
      "host_version", at: ["requires", "host"],
      message: "The module needs a host of version \(range); this one is \(host)."
        + " Install a host that fits, or a version of the module made for this one.",
      expected: "\(range)", found: "\(host)")
  }
}
