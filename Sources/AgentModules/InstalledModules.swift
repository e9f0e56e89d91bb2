import Synchronization

/// The modules in an agent's `modules` folder, read when somebody first asks.
///
/// Rationale: only a type that no enabled module offers makes the others interesting, and an agent
/// may have many that it doesn't use.
final class InstalledModules: Sendable {
  private let folder: String
  private let name: String
  private let host: SemanticVersion
  private let read = Mutex<[Manifest]?>(nil)

  init(folder: String, named name: String, host: SemanticVersion) {
    self.folder = FileSystem.join(folder, "modules")
    self.name = FileSystem.join(name, "modules")
    self.host = host
  }

  /// Those whose manifests are in order.
  var all: [Manifest] {
    read.withLock { read in
      if let read { return read }
      let manifests = folders.compactMap {
        Manifest.read(
          directory: FileSystem.join(folder, $0), named: FileSystem.join(name, $0), host: host
        ).0
      }
      read = manifests
      return manifests
    }
  }

  /// The names of the folders, whatever is in them.
  var folders: [String] {
    FileSystem.names(in: folder).filter {
      !$0.hasPrefix(".") && FileSystem.isFolder(FileSystem.join(folder, $0))
    }
  }
}
