internal import AgentModules
internal import AgentSettings
internal import AgentText
internal import Glibc
internal import JSONSchema

/// Finds a module's folder by name or path.
enum ModuleFolder {
  /// Returns the absolute path of a module's folder. Throws if there is no manifest in it.
  static func find(_ name: String, in folder: AgentFolder) throws -> String {
    let path = name.contains("/") || name == "." ? name : "\(folder.path)/modules/\(name)"
    guard let real = FileSystem.realPath(path), FileSystem.exists("\(real)/module.json") else {
      let names = ModuleCatalog(folder: folder.path, enabled: []).installedModules.map(\.folderName)
      let nearest = NameSuggestion.question(NameSuggestion.of(name, among: names))
      throw Failure("There is no module at \(path).\(nearest)", exit: .notFound)
    }
    return real
  }

  /// Returns the manifest of a module. Prints its problems, and throws if it can't be read.
  static func manifest(_ name: String, in folder: AgentFolder) throws -> Manifest {
    let directory = try find(name, in: folder)
    let (manifest, problems) = Manifest.read(directory: directory)
    for problem in problems { Terminal.remark(problem.description) }
    guard let manifest else { throw Failure("The manifest is wrong.") }
    return manifest
  }
}
