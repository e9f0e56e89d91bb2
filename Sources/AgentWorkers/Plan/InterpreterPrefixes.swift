internal import AgentModules
internal import AgentSystem
internal import Glibc
internal import Synchronization

/// Finds the folders that an interpreter must read. A module's command runs in a sandbox only if
/// its interpreter can read its own files there. The host asks each interpreter once, by running
/// it, and again when its file changes. One that fails is asked again after a minute, because it may
/// have lacked memory or time. Any thread. Each question blocks for five seconds at most.
///
/// The host runs no program of a module here. It runs only programs in the `PATH` that are outside
/// of every module. For any other program, the host looks at files.
package final class InterpreterPrefixes: Sendable {
  /// The program of a command as the host starts it.
  struct Resolved: Sendable, Equatable {
    /// The program itself, and not a wrapper that only searches for it.
    let executable: String
    /// The folders that the program must be able to read.
    let prefixes: [String]
  }

  /// The folders of the module and of the agent for which a program is resolved.
  struct Place: Sendable, Hashable {
    /// The module's folder.
    let module: String
    /// The agent's folder.
    let agent: String
  }

  /// What an interpreter has answered.
  private struct Answer {
    /// The file that was asked.
    let file: FileIdentity
    /// Nil if it gave no usable answer.
    let resolved: Resolved?
    /// When it was asked, on the steady clock.
    let moment: Duration
  }

  /// How long an interpreter that has failed isn't asked again. Each of its modules would otherwise
  /// wait for it.
  static let failureRetention = Duration.seconds(60)

  /// The answers, by the path of the interpreter.
  private let answers = Mutex<[String: Answer]>([:])
  private let steady: @Sendable () -> Duration

  /// - Parameter steady: the time of a clock that nobody sets.
  package init(steady: @escaping @Sendable () -> Duration = { ClockSample.steady() }) {
    self.steady = steady
  }

  /// Returns a program and the folders that it must read.
  /// - Parameter path: the folders in which a name without a `/` is searched, as in `PATH`. Nil
  ///   means the host's `PATH`.
  func resolve(_ name: String, path: String?, in place: Place) -> Resolved {
    let path =
      path ?? getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    let found =
      name.contains("/")
      ? lookedAt(name, path: path, place: place) : asked(name, path: path, place: place)
    return Resolved(
      executable: found.executable,
      // The links are resolved, because the sandbox opens no links.
      prefixes: Self.unique(
        found.prefixes.filter { Self.isHarmless($0, agent: place.agent) }
          .compactMap(FileSystem.realPath)))
  }

  // MARK: Programs of the machine

  private func asked(_ name: String, path: String, place: Place) -> Resolved {
    let unasked = Resolved(executable: name, prefixes: [])
    // The host doesn't run a program in a module's folder, because it would run here outside of the
    // module's sandbox.
    guard let file = Self.find(name, in: path), !Self.isOfAModule(file, place) else {
      return unasked
    }
    if name.hasPrefix("python") { return answer(of: file, Self.python) ?? unasked }
    if name == "node" { return answer(of: file, Self.node) ?? unasked }
    return unasked
  }

  /// Returns what an interpreter has answered, and asks it if that isn't known.
  /// - Parameter ask: asks it. Nil means that it gives no usable answer.
  private func answer(of file: String, _ ask: (String) -> Resolved?) -> Resolved? {
    // Read before the question, so that a file that is replaced meanwhile is asked again.
    guard let identity = FileIdentity(file) else { return nil }
    let known = answers.withLock { $0[file] }
    if let known, known.file == identity,
      known.resolved != nil || steady() - known.moment < Self.failureRetention
    {
      return known.resolved
    }
    // The lock isn't held while the host asks a program, because that takes up to five seconds. Two
    // threads that ask at once get the same answer.
    let resolved = ask(file)
    let answer = Answer(file: identity, resolved: resolved, moment: steady())
    answers.withLock { $0[file] = answer }
    return resolved
  }

  /// Asks a Python for its executable and its prefixes. Returns nil if it gives no usable answer.
  /// The host runs it without `site`, so that it runs no file of a virtual environment. The host
  /// finds the packages of a virtual environment through its `pyvenv.cfg`.
  private static func python(_ file: String) -> Resolved? {
    let question =
      "import sys;print(sys.executable);print(sys.base_prefix);print(sys.base_exec_prefix)"
    guard let lines = CommandOutput.lines(of: [file, "-I", "-S", "-c", question]), lines.count == 3,
      let program = lines.first, program.hasPrefix("/"), let real = FileSystem.realPath(program)
    else { return nil }
    let environment = environmentFolder(of: program)
    // The link to the executable of a virtual environment isn't resolved, because Python finds the
    // environment through that link.
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

  // MARK: Programs with a path

  /// Resolves a program in the module, or one with an absolute path, as the manifest names it. The
  /// host doesn't run this program.
  private func lookedAt(_ name: String, path: String, place: Place) -> Resolved {
    let file = FileSystem.join(place.module, name)
    guard let real = FileSystem.realPath(file) else {
      return Resolved(executable: name, prefixes: [])
    }
    if let environment = Self.environmentFolder(of: file) {
      // A virtual environment outside of the module needs a permission, because its folder may
      // contain other files than those of an interpreter.
      let isOwn = environment.hasPrefix((FileSystem.realPath(place.module) ?? place.module) + "/")
      return Resolved(
        executable: name,
        prefixes: Self.unique((isOwn ? [environment] : []) + base(of: real, path, place)))
    }
    // A program that is installed in a folder of its own may read the whole folder, if such a
    // folder contains only a package. This doesn't apply below /opt, where people also keep data
    // and settings.
    let own = ["/nix/store/", "/snap/"].contains { real.hasPrefix($0) }
    return Resolved(
      executable: name, prefixes: own ? [Self.prefix(of: real)].compactMap { $0 } : [])
  }

  /// Returns the folders that the interpreter of a virtual environment needs. The host asks only an
  /// interpreter that it finds by itself, and returns no folders if it doesn't find this one.
  private func base(of real: String, _ path: String, _ place: Place) -> [String] {
    let names = Self.unique(["python3", "python", FileSystem.lastName(real)])
    for name in names where name.hasPrefix("python") {
      let candidate = resolve(name, path: path, in: place)
      // Only the same file counts, because another Python may need other folders.
      if FileSystem.realPath(candidate.executable) == real { return candidate.prefixes }
    }
    return []
  }

  // MARK: Locations

  private static func find(_ name: String, in path: String) -> String? {
    // Only absolute paths count. A relative entry would be searched in the host's working folder,
    // and the worker has another working folder.
    for folder in path.split(separator: ":") where folder.hasPrefix("/") {
      let file = "\(folder)/\(name)"
      var about = stat()
      if access(file, X_OK) == 0, stat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG {
        return file
      }
    }
    return nil
  }

  /// Returns whether a program belongs to a module, by its path or by the file to which it links.
  private static func isOfAModule(_ file: String, _ place: Place) -> Bool {
    let folders = [place.module, "\(place.agent)/modules"]
    // A link into a module's folder counts as a program of the module. A link from a module's
    // folder to another folder also counts.
    let files = [file, FileSystem.realPath(file) ?? file]
    return folders.contains { folder in
      let real = FileSystem.realPath(folder) ?? folder
      return files.contains { $0.hasPrefix(folder + "/") || $0.hasPrefix(real + "/") }
    }
  }

  /// Returns the folder of the virtual environment to which a Python belongs, or nil if it belongs
  /// to none.
  private static func environmentFolder(of program: String) -> String? {
    guard FileSystem.lastName(program).hasPrefix("python") else { return nil }
    let folder = FileSystem.parent(FileSystem.parent(program))
    return FileSystem.exists("\(folder)/pyvenv.cfg") ? FileSystem.realPath(folder) : nil
  }

  /// Returns the folder that contains the program's `bin`: `/nix/store/x` for
  /// `/nix/store/x/bin/program`. Returns nil if the program isn't in a `bin` below such a folder.
  private static func prefix(of program: String) -> String? {
    let parts = program.split(separator: "/")
    guard parts.count > 2, parts.dropLast().last == "bin" else { return nil }
    return "/" + parts.dropLast(2).joined(separator: "/")
  }

  /// The folders that contain other things than programs.
  private static let shared: Set<String> = [
    "/", "/home", "/root", "/etc", "/var", "/tmp", "/srv", "/run", "/proc", "/sys", "/dev", "/mnt",
    "/media", "/boot", "/opt", "/nix", "/nix/store", "/snap",
  ]

  /// Returns whether a module may read a folder because its interpreter is there. A folder that
  /// contains the agent or a person's files isn't permitted.
  static func isHarmless(_ prefix: String, agent: String) -> Bool {
    guard prefix.hasPrefix("/"), let real = FileSystem.realPath(prefix), !shared.contains(real),
      // Otherwise, a module with an interpreter in `~/bin` could read the person's whole home
      // folder.
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

/// Tells whether a path still leads to the same content.
private struct FileIdentity: Equatable {
  private let device: dev_t
  private let inode: ino_t
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Returns nil if there is no such file.
  init?(_ path: String) {
    var about = stat()
    // The file to which a link leads counts, because that one is run.
    guard stat(path, &about) == 0 else { return nil }
    (device, inode) = (about.st_dev, about.st_ino)
    (size, seconds) = (about.st_size, about.st_mtim.tv_sec)
    nanoseconds = about.st_mtim.tv_nsec
  }
}
