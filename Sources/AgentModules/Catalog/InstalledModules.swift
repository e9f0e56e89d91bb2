import Synchronization

/// The modules in an agent's `modules` folder. They are read at the first use.
///
/// Rationale: only a type that no enabled module offers needs this list, for a suggestion. An agent
/// may have many modules that it doesn't use.
final class InstalledModules: Sendable {
  private let folder: String
  private let name: String
  private let host: SemanticVersion
  private let read = Mutex<[InstalledModule]?>(nil)

  init(folder: String, named name: String, host: SemanticVersion) {
    self.folder = FileSystem.join(folder, "modules")
    self.name = FileSystem.join(name, "modules")
    self.host = host
  }

  /// The modules with a valid manifest.
  var all: [Manifest] { everything.compactMap(\.manifest) }

  /// Every folder with a manifest.
  var everything: [InstalledModule] {
    read.withLock { read in
      if let read { return read }
      let modules = folders.compactMap(module)
      read = modules
      return modules
    }
  }

  private func module(_ name: String) -> InstalledModule? {
    let directory = FileSystem.join(folder, name)
    guard FileSystem.exists(FileSystem.join(directory, "module.json")) else { return nil }
    let (manifest, problems) = Manifest.read(
      directory: directory, named: FileSystem.join(self.name, name), host: host)
    return InstalledModule(folderName: name, manifest: manifest, problems: problems)
  }

  /// The names of all folders, with or without a manifest.
  var folders: [String] {
    FileSystem.names(in: folder).filter {
      !$0.hasPrefix(".") && FileSystem.isFolder(FileSystem.join(folder, $0))
    }
  }
}

/// A module in an agent's `modules` folder, enabled or not.
public struct InstalledModule: Sendable {
  /// The folder's name under `modules/`.
  public let folderName: String
  /// The module's manifest. `nil` if it has errors.
  public let manifest: Manifest?
  /// The problems of its manifest.
  public let problems: [Problem]
}
