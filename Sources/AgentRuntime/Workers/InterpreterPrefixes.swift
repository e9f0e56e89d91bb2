internal import Glibc
internal import Synchronization

/// Where an interpreter keeps what it needs to read: a module's command may run in a sandbox only
/// when its interpreter's own files can be read there. Asked once an interpreter, then remembered.
final class InterpreterPrefixes: Sendable {
  /// A command's program as it is really started.
  struct Resolved: Sendable {
    /// The program, without wrappers that only look for it.
    let executable: String
    /// Folders that it must be able to read.
    let prefixes: [String]
  }

  private let known = Mutex<[String: Resolved]>([:])

  /// Finds a program. One that isn't an interpreter that can be asked is left as it is, with the
  /// folder above its `bin` readable.
  func resolve(_ name: String, path: String?) -> Resolved {
    let key = "\(path ?? "")\0\(name)"
    if let resolved = known.withLock({ $0[key] }) { return resolved }
    let resolved = Self.ask(name, path: path)
    known.withLock { $0[key] = resolved }
    return resolved
  }

  private static func ask(_ name: String, path: String?) -> Resolved {
    let base = name.split(separator: "/").last.map(String.init) ?? name
    if base.hasPrefix("python") {
      // The executable of a virtual environment must stay the link that it is: Python finds the
      // environment through it.
      let program =
        "import os,sys;e=sys.executable;v=sys.prefix!=sys.base_prefix;"
        + "print(e if v else os.path.realpath(e));print(sys.prefix);print(sys.base_prefix)"
      if let lines = CommandOutput.lines(of: [name, "-I", "-c", program]), lines.count == 3 {
        return Resolved(executable: lines[0], prefixes: unique(Array(lines.dropFirst())))
      }
    }
    if base == "node", let lines = CommandOutput.lines(of: [name, "-p", "process.execPath"]),
      let program = lines.first
    {
      return Resolved(executable: program, prefixes: [prefix(of: program)].compactMap { $0 })
    }
    guard name.hasPrefix("/"), let real = realpath(name, nil) else {
      return Resolved(executable: name, prefixes: [])
    }
    defer { free(real) }
    return Resolved(
      executable: name, prefixes: [prefix(of: String(cString: real))].compactMap { $0 })
  }

  private static func unique(_ paths: [String]) -> [String] {
    paths.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// `/opt/x` for `/opt/x/bin/program`.
  private static func prefix(of program: String) -> String? {
    let parts = program.split(separator: "/")
    guard parts.count > 2, parts[parts.count - 2] == "bin" else { return nil }
    return "/" + parts.dropLast(2).joined(separator: "/")
  }
}
