internal import AgentJSON
internal import AgentModules
internal import AgentSupervision
internal import Dispatch
internal import Glibc

/// Collects what crashed workers wrote about their end, names functions and lines off the restart's
/// path, and keeps the newest reports under `.agent/crashes`.
struct CrashReports: Sendable {
  private static let mostKept = 50
  private let folder: String
  private let log: LogHub
  private let thread = DispatchQueue(label: "agent.crashes", qos: .background)

  init(folder: String, log: LogHub) {
    self.folder = folder
    self.log = log
  }

  /// Reads the report of a worker that has ended; on the loop's thread, so it only reads.
  func collect(from link: WorkerLink, _ exit: ExitStatus) {
    guard let descriptor = link.connection.crash else { return }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count < 256 << 10 {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    guard !bytes.isEmpty else { return }
    let name = link.plan.name
    let pid = link.connection.pid
    thread.async { [self, bytes] in report(bytes, of: name, pid: pid, exit) }
  }

  private func report(_ bytes: [UInt8], of name: String, pid: Int32, _ exit: ExitStatus) {
    guard let crash = try? JSONDocument(parsing: bytes).root.value else { return }
    let frames = Symbols.frames(of: crash)
    var report: JSONObject = [
      "process": .string(name), "pid": .number(JSONNumber(Int(pid))),
      "time": .string(Timestamp.text(Timestamp.now())), "exit": .string("\(exit)"),
    ]
    report["signal"] = crash["signal"]
    report["address"] = crash["address"]
    report["frames"] = .array(frames.map(\.json))
    log.log(
      .error, "The worker crashed: \(exit)\(Symbols.summary(frames)).", source: name,
      fields: ["report": .string(write(.object(report), name: name, pid: pid))])
  }

  private func write(_ report: JSONValue, name: String, pid: Int32) -> String {
    mkdir(folder, 0o700)
    let path = "\(folder)/\(LogHub.fileName(of: name))-\(Timestamp.now())-\(pid).json"
    let bytes = report.bytes(pretty: true) + [10]
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return "" }
    _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    close(file)
    removeOldest()
    return path
  }

  private func removeOldest() {
    var files: [(changed: Int, path: String)] = []
    for name in FileSystem.names(in: folder) where name.hasSuffix(".json") {
      var information = stat()
      guard stat("\(folder)/\(name)", &information) == 0 else { continue }
      files.append((information.st_mtim.tv_sec, "\(folder)/\(name)"))
    }
    guard files.count > Self.mostKept else { return }
    for file in files.sorted(by: { $0.changed < $1.changed }).prefix(files.count - Self.mostKept) {
      unlink(file.path)
    }
  }
}
