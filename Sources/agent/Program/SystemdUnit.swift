internal import AgentModules
internal import AgentSettings
internal import AgentSystem
internal import Glibc

/// The systemd unit of one agent.
struct SystemdUnit {
  private let folder: AgentFolder
  let isOfSystem: Bool
  private let home: String

  init(_ folder: AgentFolder, system: Bool) throws {
    self.folder = folder
    isOfSystem = system
    guard let home = getenv("HOME").map({ String(cString: $0) }), home.hasPrefix("/") else {
      throw Failure("HOME isn't set, so the folder of the user's units is unknown.")
    }
    self.home = home
  }

  /// The name, such as `agent-shop.service`.
  var name: String {
    let safe = folder.lastName.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
    return "agent-\(String(safe)).service"
  }

  private var directory: String {
    isOfSystem
      ? "/etc/systemd/system"
      : (getenv("XDG_CONFIG_HOME").map { String(cString: $0) } ?? "\(home)/.config")
        + "/systemd/user"
  }

  /// The path of the unit's file.
  var path: String { "\(directory)/\(name)" }

  /// Whether the unit's file exists.
  var isThere: Bool { access(path, F_OK) == 0 }

  /// The program that the unit's file starts, if it doesn't exist any more.
  var missingProgram: String? {
    guard let bytes = try? FileSystem.read(path, limit: 1 << 20) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix("ExecStart=")
    }
    guard let command = line?.dropFirst("ExecStart=".count) else { return nil }
    let end: Character = command.first == "\"" ? "\"" : " "
    let program = command.drop { $0 == "\"" }.prefix { $0 != end }
    return access(String(program), X_OK) == 0 ? nil : String(program)
  }

  /// The commands that the user enters where systemd runs.
  var hint: String {
    "systemctl\(isOfSystem ? "" : " --user") daemon-reload && systemctl"
      + "\(isOfSystem ? "" : " --user") enable --now \(name)"
  }

  /// Returns the text of the unit.
  func text(executable: String) -> String {
    """
    [Unit]
    Description=Agent in \(folder.path)
    After=network.target

    [Service]
    Type=notify-reload
    NotifyAccess=main
    WatchdogSec=30
    ExecStart=\(Self.quoted(executable)) run --settings \(Self.quoted(folder.settingsFile))
    WorkingDirectory=\(folder.path.replacing("%", with: "%%"))
    Restart=on-failure
    KillMode=mixed
    LimitNOFILE=65536
    TimeoutStopSec=60
    StandardOutput=journal
    StandardError=journal

    [Install]
    WantedBy=\(isOfSystem ? "multi-user.target" : "default.target")

    """
  }

  /// Writes the unit's file.
  func write() throws {
    var partial = ""
    for part in directory.split(separator: "/") {
      partial += "/\(part)"
      mkdir(partial, 0o755)
    }
    guard let executable = FileSystem.realPath("/proc/self/exe") else {
      throw Failure("The location of this program is unknown.")
    }
    guard let file = fopen(path, "we") else {
      throw Failure("\(path) can't be written: \(SystemError.text(errno)).")
    }
    defer { fclose(file) }
    guard fputs(text(executable: executable), file) >= 0 else {
      throw Failure("\(path) can't be written: \(SystemError.text(errno)).")
    }
  }

  /// Runs systemctl. Returns false if it is missing or fails.
  func control(_ arguments: [String]) -> Bool {
    var pid: pid_t = 0
    let words = ["systemctl"] + (isOfSystem ? [] : ["--user"]) + arguments
    var list = words.map { strdup($0) } + [nil]
    defer { for word in list { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    guard posix_spawnp(&pid, "systemctl", &actions, nil, &list, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      if errno != EINTR { return false }
    }
    return status == 0
  }

  /// Quotes a word for systemd: `%` is doubled, and a word with blanks gets quotes.
  private static func quoted(_ word: String) -> String {
    let escaped = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("%", with: "%%").replacing("$", with: "$$")
    return word.contains(where: { " \t\"\\$".contains($0) }) ? "\"\(escaped)\"" : escaped
  }
}
