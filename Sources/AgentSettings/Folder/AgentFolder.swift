public import AgentModules
import Glibc

/// An agent's folder. It holds the settings and the host's private files.
public struct AgentFolder: Sendable, Hashable {
  /// The folder, absolute and without links.
  public let path: String
  /// The folder as messages name it. A path in the current folder is shown without `.`.
  public let name: String
  /// The settings file's path.
  public let settingsFile: String
  /// The settings file as messages name it.
  public let settingsName: String

  /// Finds the folder of a settings file. Without a file the result is the folder `directory`, with
  /// its `settings.json`.
  ///
  /// A file elsewhere (`modules/x/settings.example.json`) belongs to the nearest folder above it
  /// that has a `settings.json` or a `modules` folder. Its modules are found there.
  public static func locate(
    settings: String? = nil, from directory: String = "."
  ) throws(Problem) -> AgentFolder {
    let named = settings ?? "settings.json"
    let file = FileSystem.join(directory, named)
    guard let beside = FileSystem.realPath(FileSystem.parent(file)) else {
      throw Problem(
        "folder_missing", file: named,
        message: "there is no folder \(FileSystem.parent(file)).")
    }
    let folder = settings == nil ? beside : owner(of: beside) ?? beside
    return AgentFolder(
      path: folder, name: display(folder, from: directory),
      settingsFile: FileSystem.join(beside, FileSystem.lastName(file)), settingsName: named)
  }

  private static func owner(of folder: String) -> String? {
    var folder = folder
    while true {
      if FileSystem.exists(FileSystem.join(folder, "settings.json"))
        || FileSystem.isFolder(FileSystem.join(folder, "modules"))
      {
        return folder
      }
      if folder == "/" { return nil }
      folder = FileSystem.parent(folder)
    }
  }

  /// Files of the current folder are named without a path.
  private static func display(_ folder: String, from directory: String) -> String {
    folder == FileSystem.realPath(directory) && !directory.hasPrefix("/") ? "." : folder
  }

  /// The last part of the path. It is the agent's name if the settings give none.
  public var lastName: String { FileSystem.lastName(path) }

  /// The file of variables for `${env:…}` and `${secret:…}`.
  public var environmentFile: String { FileSystem.join(path, ".env") }
  /// The folder of the host's own files (0700).
  public var privateFolder: String { FileSystem.join(path, ".agent") }
  /// The lock file. The host that runs this agent holds its lock.
  public var lock: String { local("lock") }
  /// The list of running workers. The next host reads it after a host was killed.
  public var workers: String { local("workers") }
  /// The record of the host's starts. Safe mode is decided by it.
  public var starts: String { local("starts.json") }
  /// The current step of a starting host.
  public var startStep: String { local("start-step") }
  /// The database.
  public var store: String { local("store.db") }
  /// The folder of the tasks' artifacts.
  public var artifacts: String { local("artifacts") }
  /// The secret for creating the first administrator (0600). The file exists until a user exists.
  public var setupSecret: String { local("setup-secret") }
  /// The log files.
  public var logs: String { local("logs") }
  /// The folder of the versioned copies of module libraries.
  public var libraries: String { local("lib") }
  /// The database.
  public var database: String { local("store.db") }
  /// The schema of this agent's settings, for editors.
  public var settingsSchema: String { local("settings.schema.json") }
  /// The schema of manifests, for editors.
  public var moduleSchema: String { local("module.schema.json") }

  private func local(_ name: String) -> String { FileSystem.join(privateFolder, name) }

  /// The longest path of a socket (`sun_path` has 108 bytes with its end).
  public static let longestSocketPath = 107

  /// The management socket. It is in the folder, or under `$XDG_RUNTIME_DIR` or `/tmp/agent-UID` if
  /// its path would be too long. The current folder has no influence on it.
  public var socket: String { socket(runtimeFolder: Self.environment("XDG_RUNTIME_DIR")) }

  func socket(runtimeFolder: String?) -> String {
    let here = local("agent.sock")
    if here.utf8.count <= Self.longestSocketPath { return here }
    let short = "agent-\(TextDigest.of(path.utf8)).sock"
    if let runtimeFolder, runtimeFolder.hasPrefix("/") {
      let there = FileSystem.join(runtimeFolder, short)
      if there.utf8.count <= Self.longestSocketPath { return there }
    }
    return "/tmp/agent-\(getuid())/\(short)"
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
