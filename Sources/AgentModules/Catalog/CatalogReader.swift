import AgentJSON
import AgentText
import JSONSchema

/// Finds and reads the enabled modules. It reports the problems of each module and those between
/// modules.
struct CatalogReader {
  private(set) var modules: [Manifest] = []
  private(set) var problems: [Problem] = []
  /// The names of enabled modules that can't be used.
  private(set) var broken: Set<String> = []
  let installed: InstalledModules

  private let folder: String
  private let name: String
  private let host: SemanticVersion
  private var references: [String: ModuleReference] = [:]

  init(folder: String, name: String, host: SemanticVersion) {
    self.folder = folder
    self.name = name
    self.host = host
    self.installed = InstalledModules(folder: folder, named: name, host: host)
  }

  /// Reads the manifest of one enabled module.
  mutating func read(_ reference: ModuleReference) {
    let directory = FileSystem.join(folder, reference.relativeFolder)
    let name = FileSystem.join(name, reference.relativeFolder)
    guard FileSystem.isFolder(directory) else {
      broken.insert(FileSystem.lastName(reference.text))
      if problems.takes(.error) { problems.append(missing(reference, named: name)) }
      return
    }
    let (manifest, found) = Manifest.read(directory: directory, named: name, host: host)
    for problem in found where problems.takes(problem.severity) {
      problems.append(explain(problem, of: reference, folder: name))
    }
    guard let manifest else {
      broken.insert(FileSystem.lastName(reference.text))
      return
    }
    accept(manifest, by: reference)
  }

  private mutating func accept(_ manifest: Manifest, by reference: ModuleReference) {
    if !reference.isPath, manifest.name != reference.text {
      broken.insert(reference.text)
      broken.insert(manifest.name)
      return add(
        "module_name_mismatch", reference,
        message: "the folder modules/\(reference.text) holds a module that calls itself"
          + " \"\(manifest.name)\". Rename the folder or change \"name\" in \(manifest.file).",
        expected: "\"\(reference.text)\"", found: "\"\(manifest.name)\"")
    }
    if let first = references[manifest.name] {
      return add(
        "module_twice", reference,
        message: "the module \"\(manifest.name)\" is enabled already, as \"\(first.text)\"."
          + " Remove one of the two.",
        found: "\"\(reference.text)\"")
    }
    references[manifest.name] = reference
    modules.append(manifest)
  }

  /// Reports the modules that lack a required one.
  mutating func checkRequirements() {
    for manifest in modules {
      for (needed, range) in manifest.requires.modules.sorted(by: { $0.key < $1.key }) {
        check(manifest, needs: needed, range)
      }
    }
  }

  private mutating func check(_ manifest: Manifest, needs name: String, _ range: VersionRange) {
    let source = SourceFile(name: manifest.file, document: manifest.document)
    func add(_ code: String, _ message: String, found: String) {
      guard problems.takes(.error) else { return }
      problems.append(
        source.problem(
          code, at: .init(tokens: ["requires", "modules", name]), message: message,
          expected: "\(name) \(range)", found: found))
    }
    let need = "The module \"\(manifest.name)\" needs \"\(name)\" \(range)"
    if let other = modules.first(where: { $0.name == name }) {
      guard !range.contains(other.version) else { return }
      return add(
        "module_version", "\(need); \(other.version) is enabled. Install a version that fits.",
        found: "\(other.version)")
    }
    if broken.contains(name) { return }
    if let other = installed.all.first(where: { $0.name == name }) {
      return add(
        "module_not_enabled", "\(need), which isn't in enabled_modules: add it.",
        found: "\(other.version), not enabled")
    }
    add(
      "module_not_installed",
      "\(need), which isn't installed. Install it with: agent module install FILE",
      found: "nothing")
  }

  private mutating func add(
    _ code: String, _ reference: ModuleReference, message: String, expected: String? = nil,
    found: String? = nil, suggestion: String? = nil
  ) {
    guard problems.takes(.error) else { return }
    problems.append(
      reference.problem(
        code, message: message, expected: expected, found: found, suggestion: suggestion))
  }

  private func missing(_ reference: ModuleReference, named name: String) -> Problem {
    let nearest = NameSuggestion.of(FileSystem.lastName(reference.text), among: installed.folders)
    let advice = NameSuggestion.question(nearest)
    return reference.problem(
      "module_missing",
      message: "there is no folder \(name).\(advice)", expected: "a module's folder",
      found: "\"\(reference.text)\"", suggestion: nearest)
  }

  /// Reports a folder without a manifest at the setting that names the folder.
  private func explain(
    _ problem: Problem, of reference: ModuleReference, folder: String
  ) -> Problem {
    guard problem.code == "file_missing" else { return problem }
    return reference.problem(
      "manifest_missing",
      message: "\(folder) has no module.json, so it isn't a module."
        + " `add-agent-module` writes one.",
      expected: "\(problem.file)", found: "no such file")
  }
}
