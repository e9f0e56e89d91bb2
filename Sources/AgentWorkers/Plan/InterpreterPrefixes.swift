internal import AgentModules
internal import Glibc
internal import Synchronization

/// Finds the folders that an interpreter must read: a module's command runs in a sandbox only if
/// its interpreter can read its own files there. Each interpreter is asked once. Any thread; blocks
/// for five seconds at most per question.
///
/// Nothing of a module is run. Only programs in the `PATH`, outside of every module, are run and
/// asked. For any other program the host looks at files.
package final class InterpreterPrefixes: Sendable {
  /// A command's program as it is really started.
  struct Resolved: Sendable, Equatable {
    /// The program, without wrappers that only look for it.
    let executable: String
    /// Folders that it must be able to read.
    let prefixes: [String]
  }

  /// The folders of the module and the agent that ask.
  struct Place: Sendable, Hashable {
    /// The module's folder.
    let module: String
    /// The agent's folder.
    let agent: String
  }

  private struct Question: Hashable {
    let name: String
    let path: String
    let place: Place
  }

  private let known = Mutex<[Question: Resolved]>([:])

  package init() {}

  /// Finds a program. `path` is where one without a `/` is looked for; nil: in the host's `PATH`.
  func resolve(_ name: String, path: String?, in place: Place) -> Resolved {
    let path =
      path ?? getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    let question = Question(name: name, path: path, place: place)
    // The lock isn't held while a program is asked, which takes up to five seconds. Two that ask
    // at once get the same answer.
    if let resolved = known.withLock({ $0[question] }) { return resolved }
    let found =
      name.contains("/")
      ? lookedAt(name, path: path, place: place) : asked(name, path: path, place: place)
    let resolved = Resolved(
      executable: found.executable,
      // Without links: the sandbox opens none.
      prefixes: Self.unique(
        found.prefixes.filter { Self.isHarmless($0, agent: place.agent) }
          .compactMap(FileSystem.realPath)))
    known.withLock { $0[question] = resolved }
    return resolved
  }

  // MARK: Programs of the machine

  private func asked(_ name: String, path: String, place: Place) -> Resolved {
    let unasked = Resolved(executable: name, prefixes: [])
    // A program in a module's folder would be run here outside of the module's sandbox.
    guard let file = Self.find(name, in: path), !Self.isOfAModule(file, place) else {
      return unasked
    }
    if name.hasPrefix("python") { return Self.python(file) ?? unasked }
    if name == "node" { return Self.node(file) ?? unasked }
    return unasked
  }

  /// Without `site`, so that no file of a virtual environment is run; `pyvenv.cfg` beside it says
  /// where its packages are.
  private static func python(_ file: String) -> Resolved? {
    let question =
      "import sys;print(sys.executable);print(sys.base_prefix);print(sys.base_exec_prefix)"
    guard let lines = CommandOutput.lines(of: [file, "-I", "-S", "-c", question]), lines.count == 3,
      let program = lines.first, program.hasPrefix("/"), let real = FileSystem.realPath(program)
    else { return nil }
    let environment = environmentFolder(of: program)
    // The executable of a virtual environment must stay the link that it is: Python finds the
    // environment through it.
    return Resolved(
      executable: environment == nil ? real : program,
      prefixes: unique((environment.map { [$0] } ?? []) + lines.dropFirst()))
  }

  private static func node(_ file: String) -> Resolved? {
    guard let program = CommandOutput.lines(of: [file, "-p", "process.execPath"])?.first else {
      return nil
    }
    return Resolved(executable: program, prefixes: [prefix(of: program)].compactMap { $0 })
  }

  // MARK: Programs at a place

  /// A program in the module, or one with a whole path, as the manifest names it.
  private func lookedAt(_ name: String, path: String, place: Place) -> Resolved {
    let file = FileSystem.join(place.module, name)
    guard let real = FileSystem.realPath(file) else {
      return Resolved(executable: name, prefixes: [])
    }
    if let environment = Self.environmentFolder(of: file) {
      // One elsewhere needs a permission: other files may lie there than an interpreter's.
      let isOwn = environment.hasPrefix((FileSystem.realPath(place.module) ?? place.module) + "/")
      return Resolved(
        executable: name,
        prefixes: Self.unique((isOwn ? [environment] : []) + base(of: real, path, place)))
    }
    // A program that is installed in a folder of its own may read all of it, where such a folder
    // holds nothing but a package. Below /opt, people keep data and settings too.
    let own = ["/nix/store/", "/snap/"].contains { real.hasPrefix($0) }
    return Resolved(
      executable: name, prefixes: own ? [Self.prefix(of: real)].compactMap { $0 } : [])
  }

  /// The folders that the interpreter of a virtual environment needs. Only an interpreter that the
  /// host finds itself is asked.
  private func base(of real: String, _ path: String, _ place: Place) -> [String] {
    let names = Self.unique(["python3", "python", FileSystem.lastName(real)])
    for name in names where name.hasPrefix("python") {
      let candidate = resolve(name, path: path, in: place)
      // Only the same file: what another Python needs says nothing about this one.
      if FileSystem.realPath(candidate.executable) == real { return candidate.prefixes }
    }
    return []
  }

  // MARK: What is where

  private static func find(_ name: String, in path: String) -> String? {
    // Whole paths only: a relative entry would be looked up in the host's working folder, and the
    // worker has another.
    for folder in path.split(separator: ":") where folder.hasPrefix("/") {
      let file = "\(folder)/\(name)"
      var about = stat()
      if access(file, X_OK) == 0, stat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG {
        return file
      }
    }
    return nil
  }

  /// By its name or by where it leads.
  private static func isOfAModule(_ file: String, _ place: Place) -> Bool {
    let folders = [place.module, "\(place.agent)/modules"]
    // A link into a module's folder is the module's program, and so is a link out of it.
    let files = [file, FileSystem.realPath(file) ?? file]
    return folders.contains { folder in
      let real = FileSystem.realPath(folder) ?? folder
      return files.contains { $0.hasPrefix(folder + "/") || $0.hasPrefix(real + "/") }
    }
  }

  /// The virtual environment that a Python belongs to.
  private static func environmentFolder(of program: String) -> String? {
    guard FileSystem.lastName(program).hasPrefix("python") else { return nil }
    let folder = FileSystem.parent(FileSystem.parent(program))
    return FileSystem.exists("\(folder)/pyvenv.cfg") ? FileSystem.realPath(folder) : nil
  }

  /// `/nix/store/x` for `/nix/store/x/bin/program`.
  private static func prefix(of program: String) -> String? {
    let parts = program.split(separator: "/")
    guard parts.count > 2, parts.dropLast().last == "bin" else { return nil }
    return "/" + parts.dropLast(2).joined(separator: "/")
  }

  /// Folders in which other things lie than programs.
  private static let shared: Set<String> = [
    "/", "/home", "/root", "/etc", "/var", "/tmp", "/srv", "/run", "/proc", "/sys", "/dev", "/mnt",
    "/media", "/boot", "/opt", "/nix", "/nix/store", "/snap",
  ]

  /// Whether a folder may be read by a module whose interpreter lies there: not one that holds the
  /// agent or a person's files.
  static func isHarmless(_ prefix: String, agent: String) -> Bool {
    guard prefix.hasPrefix("/"), let real = FileSystem.realPath(prefix), !shared.contains(real),
      // An interpreter in `~/bin` would otherwise open the whole home.
      !(real.hasPrefix("/home/") && real.split(separator: "/").count < 3)
    else { return false }
    let home = getenv("HOME").map { String(cString: $0) }
    return ![agent, home].contains { inner in
      guard let inner, !inner.isEmpty else { return false }
      return ((FileSystem.realPath(inner) ?? inner) + "/").hasPrefix(real + "/")
    }
  }

  private static func unique(_ paths: [String]) -> [String] {
    paths.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
