internal import AgentJSON
package import AgentLogging
internal import AgentModules
package import AgentSupervision
internal import AgentSystem
internal import AgentWorkerProtocol
package import AgentWorkers
internal import Glibc
internal import Synchronization

/// Collects the crash reports of workers and keeps the newest under `.agent/crashes`. It adds the
/// names of functions in the background, so that the restart of the worker doesn't wait for them.
package final class CrashReports: Sendable {
  /// The bytes of a crash pipe, and the facts that the host knows about the worker.
  struct Arrival: Sendable {
    let bytes: [UInt8]
    let name: String
    let pid: Int32
    let exit: ExitStatus
    /// The module's library that the host gave to the worker.
    let library: String?
  }

  private struct State {
    var waiting: [Arrival] = []
    var isWorking = false
  }

  /// The largest number of reports that wait for symbols. If workers crash faster, the log contains
  /// only their exits.
  static let maxWaiting = 16
  private static let maxKept = 50
  private let folder: String
  private let worker: String
  private let log: LogHub
  private let writes = FileQueue("crash reports")
  private let state = Mutex(State())

  /// - Parameter worker: the program that runs library modules.
  package init(folder: String, worker: String, log: LogHub) {
    self.folder = folder
    self.worker = worker
    self.log = log
  }

  /// Reads the report of a worker that has ended. Called on the loop's thread, so it leaves all
  /// further work to a task.
  package func collect(from link: WorkerLink, _ exit: ExitStatus) {
    guard let descriptor = link.connection.crash else { return }
    let bytes = SandboxRecord.dropFirst(of: Self.read(descriptor))
    guard !bytes.isEmpty else { return }
    take(
      Arrival(
        bytes: bytes, name: link.plan.name, pid: link.connection.pid, exit: exit,
        library: link.plan.load.library))
  }

  /// Accepts a report, which is processed after the earlier ones. It never waits. Any thread may
  /// call it.
  func take(_ arrival: Arrival) {
    let begins = state.withLock { state in
      // The report is dropped, because a module that crashes in a loop must not keep the host busy
      // with symbols.
      guard state.waiting.count < Self.maxWaiting else { return false }
      state.waiting.append(arrival)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    // In the background and outside the loop's thread, so that the restart doesn't wait for
    // symbols.
    if begins { Task(priority: .background) { await work() } }
  }

  /// The number of waiting reports.
  var waiting: Int { state.withLock { $0.waiting.count } }

  private func work() async {
    while let arrival = next() { await report(arrival) }
  }

  private func next() -> Arrival? {
    state.withLock { state in
      // Under the same lock as the check. Otherwise, a report could arrive in between and find a
      // task that has just ended.
      if state.waiting.isEmpty { state.isWorking = false }
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
  }

  private static func read(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count < CrashReport.maxBytes {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  private func report(_ arrival: Arrival) async {
    guard let crash = CrashReport(parsing: arrival.bytes) else { return }
    // The paths come from the host and not from the report, because the module may have written the
    // report.
    let files = [worker, arrival.library].compactMap { $0 }
    let frames = await Symbols(known: KnownImages(files: files)).frames(of: crash)
    let now = Timestamp.now()
    var report: JSONObject = [
      "process": .string(arrival.name), "pid": .number(JSONNumber(Int(arrival.pid))),
      "time": .string(Timestamp.text(now)), "exit": .string("\(arrival.exit)"),
    ]
    if let signal = crash.signal { report["signal"] = .number(JSONNumber(signal)) }
    if let address = crash.address {
      report["address"] = .string("0x" + String(address, radix: 16))
    }
    report["frames"] = .array(frames.map(\.json))
    // The name contains time and pid. Two crashes within a millisecond have different pids.
    let path = "\(folder)/\(LogHub.fileName(of: arrival.name))-\(now)-\(arrival.pid).json"
    let bytes = JSONValue.object(report).bytes(pretty: true) + [10]
    var isWritten = false
    do {
      isWritten = try await writes.run { [self] in write(bytes, to: path) }
    } catch {
      log.log(.warning, "A crash report can't be written. \(error)", source: arrival.name)
    }
    log.log(
      .error, "The worker crashed: \(arrival.exit)\(Symbols.summary(frames)).",
      source: arrival.name, fields: ["report": .string(isWritten ? path : "")])
  }

  private func write(_ bytes: [UInt8], to path: String) -> Bool {
    mkdir(folder, 0o700)
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    let written = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    close(file)
    // After each report, so that a worker that crashes again and again doesn't fill the disk.
    removeOldest()
    return written == bytes.count
  }

  private func removeOldest() {
    var files: [(changed: Int, path: String)] = []
    for name in FileSystem.names(in: folder) where name.hasSuffix(".json") {
      var information = stat()
      guard stat("\(folder)/\(name)", &information) == 0 else { continue }
      files.append((information.st_mtim.tv_sec, "\(folder)/\(name)"))
    }
    guard files.count > Self.maxKept else { return }
    for file in files.sorted(by: { $0.changed < $1.changed }).prefix(files.count - Self.maxKept) {
      unlink(file.path)
    }
  }
}
