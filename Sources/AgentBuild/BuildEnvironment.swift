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

  /// Returns the first program that exists and belongs to no module: the one that the environment
  /// variable names, or the first of `names` in `PATH`.
  ///
  /// Rationale: a build runs outside of the sandbox, and a module may bring a program of any name.
  /// - Parameter module: the folder of the module that is built. The modules beside it count, too.
  /// - Throws: `BuildError` with `compilerMissing` and the advice `install`.
  func program(
    _ variable: String, _ names: [String], for module: String, install: String
  ) throws(BuildError) -> String {
    let wanted = variables[variable].flatMap { $0.isEmpty ? nil : [$0] } ?? names
    let folders = (variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    for name in wanted {
      let paths = name.contains("/") ? [name] : folders.map { FileSystem.join(String($0), name) }
      if let found = paths.first(where: { Self.isProgram($0, outside: module) }) { return found }
    }
    let names = wanted.joined(separator: " or ")
    throw BuildError(
      .compilerMissing, "\(names) was not found in PATH outside of the modules. \(install)")
  }

  /// Returns whether a path is absolute and leads to a program that lies in no module's folder. A
  /// relative path would depend on the folder in which the build was started.
  private static func isProgram(_ path: String, outside module: String) -> Bool {
    guard path.hasPrefix("/"), access(path, X_OK) == 0, !FileSystem.isFolder(path),
      let program = FileSystem.realPath(path)
    else { return false }
    let folder = FileSystem.realPath(module) ?? module
    let siblings = FileSystem.parent(folder)
    let places = FileSystem.lastName(siblings) == "modules" ? [folder, siblings] : [folder]
    // A link into a module's folder leads to a program of the module. The module can change a link
    // from its folder.
    return !places.contains { place in
      [path, program].contains { $0.hasPrefix(place + "/") }
    }
  }
}
