internal import AgentModules
internal import Glibc

/// The places of the compilers, the SDK and the cache.
public struct BuildEnvironment: Sendable {
  private let variables: [String: String]
  private let executable: String

  /// - Parameters:
  ///   - variables: the environment variables.
  ///   - executable: the path of the running program. An installed SDK is found from there.
  public init(variables: [String: String], executable: String) {
    self.variables = variables
    self.executable = executable
  }

  /// The environment of this process.
  public static var current: BuildEnvironment {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let pair = String(cString: entry).split(separator: "=", maxSplits: 1)
      if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
      next += 1
    }
    let executable = FileSystem.realPath("/proc/self/exe") ?? ""
    return BuildEnvironment(variables: variables, executable: executable)
  }

  /// Returns the folder of the SDK's sources: `$AGENT_SDK`, `share/agent/SDK` beside the program's
  /// `bin` or `libexec`, or the repository's `SDK`.
  /// - Throws: `BuildError` with `sdkMissing` if there is none.
  func sdk() throws(BuildError) -> String {
    let found = sdkCandidates().first {
      FileSystem.exists(FileSystem.join($0, "Sources/CAgentModule/include/agent_module.h"))
    }
    if let found { return FileSystem.realPath(found) ?? found }
    throw BuildError(
      .sdkMissing,
      "The module SDK was not found. Set AGENT_SDK to its folder, or install agent with `make install`."
    )
  }

  private func sdkCandidates() -> [String] {
    if let named = variables["AGENT_SDK"], !named.isEmpty { return [named] }
    return ancestors(of: executable).flatMap {
      [FileSystem.join($0, "share/agent/SDK"), FileSystem.join($0, "SDK")]
    }
  }

  private func ancestors(of path: String) -> [String] {
    var ancestors: [String] = []
    var folder = path
    while !folder.isEmpty, folder != "/" {
      folder = FileSystem.parent(folder)
      ancestors.append(folder)
    }
    return ancestors
  }

  /// Returns the folder for compiled SDKs.
  func cache() throws(BuildError) -> String {
    if let cache = variables["XDG_CACHE_HOME"], cache.hasPrefix("/") {
      return FileSystem.join(cache, "agent/sdk")
    }
    if let home = variables["HOME"], home.hasPrefix("/") {
      return FileSystem.join(home, ".cache/agent/sdk")
    }
    throw BuildError(
      .cannotWrite,
      "Neither XDG_CACHE_HOME nor HOME is set; one is needed to keep the compiled SDK."
    )
  }

  /// Returns the first program that exists: the one that the environment variable names, or the
  /// first of `names` in `PATH`.
  /// - Throws: `BuildError` with `compilerMissing` and the advice `install`.
  func program(_ variable: String, _ names: [String], install: String) throws(BuildError) -> String
  {
    let wanted = variables[variable].flatMap { $0.isEmpty ? nil : [$0] } ?? names
    let folders = (variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    for name in wanted {
      let paths = name.contains("/") ? [name] : folders.map { FileSystem.join(String($0), name) }
      if let found = paths.first(where: { access($0, X_OK) == 0 && !FileSystem.isFolder($0) }) {
        return found
      }
    }
    let names = wanted.joined(separator: " or ")
    throw BuildError(.compilerMissing, "\(names) was not found in PATH. \(install)")
  }
}
