internal import AgentModules
internal import Glibc

/// The installed files that a program needs: templates, the SDK, and the other programs.
public struct Installation: Sendable {
  /// The folder of the templates.
  let templates: String
  /// The folder of the SDK.
  let sdk: String
  /// The folder of this program and the programs installed with it.
  let programs: String

  /// Finds the templates and the SDK. It looks first at `$AGENT_TEMPLATES` and `$AGENT_SDK`, then
  /// at `share/agent` in each folder above the program, and at the repository that the program was
  /// built in.
  /// - Throws: `ScaffoldError` with `notInstalled` if one of them is missing.
  public init(executable: String? = nil) throws(ScaffoldError) {
    let executable = executable ?? FileSystem.realPath("/proc/self/exe") ?? ""
    programs = FileSystem.parent(executable)
    templates = try Self.find("Templates", variable: "AGENT_TEMPLATES", from: executable)
    sdk = try Self.find("SDK", variable: "AGENT_SDK", from: executable)
  }

  private static func find(
    _ name: String, variable: String, from executable: String
  ) throws(ScaffoldError) -> String {
    if let named = getenv(variable) {
      let path = String(cString: named)
      if let found = FileSystem.realPath(path), FileSystem.isFolder(found) { return found }
      throw ScaffoldError(.notInstalled, "\(variable) names \(path), which isn't a folder.")
    }
    var folder = executable
    while !folder.isEmpty, folder != "/" {
      folder = FileSystem.parent(folder)
      for candidate in ["share/agent/\(name)", name] {
        let path = FileSystem.join(folder, candidate)
        if FileSystem.isFolder(path) { return FileSystem.realPath(path) ?? path }
      }
    }
    throw ScaffoldError(
      .notInstalled,
      "\(name) were not found near \(executable). Install agent with `make install`, or set \(variable)."
    )
  }
}
