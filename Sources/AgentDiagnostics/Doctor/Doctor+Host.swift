internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
internal import AgentWorkers
internal import Glibc

/// Checks of the lock, the socket and the ports: whether a host runs or could run.
extension Doctor {
  func hostFindings() -> [DoctorFinding] {
    switch host {
    case .running(let pid, let diagnostics):
      return [running(pid, diagnostics)] + Self.safeMode(diagnostics)
        + Self.change(diagnostics, now: now())
    case .silent(let pid, let why):
      let name = pid.map { "pid \($0)" } ?? "another process"
      return [
        DoctorFinding(
          "host", .problem, sentence: "\(name) holds \(folder.lock) and doesn't answer: \(why)",
          remedy: "\"agent logs agent\" may say why; \"agent stop\" ends it.")
      ]
    case .stopped: return leftovers() + failedStarts()
    }
  }

  private func running(_ pid: Int32, _ diagnostics: JSONValue) -> DoctorFinding {
    let health = diagnostics["health"]
    let state = HealthState(rawValue: health?["state"]?.string ?? "") ?? .ok
    guard state >= .starting, let reason = health?["reason"]?.string else {
      return DoctorFinding("host", .ok, sentence: "It runs, with pid \(pid).")
    }
    return DoctorFinding(
      "host", state == .failing ? .problem : .warning,
      sentence: "It runs, with pid \(pid), and is \(state.rawValue): \(reason)",
      remedy: "See the findings below, and \"agent status\".")
  }

  /// Returns the reason for safe mode, and the steps at which the earlier hosts died.
  static func safeMode(_ diagnostics: JSONValue) -> [DoctorFinding] {
    guard let reason = diagnostics["safe_mode"]?["reason"]?.string else { return [] }
    let causes = (diagnostics["safe_mode"]?["causes"]?.array ?? []).compactMap(\.string)
    let all = ([reason] + causes.prefix(3)).joined(separator: " ")
    return [
      DoctorFinding(
        "safe_mode", .problem,
        sentence: "It runs in safe mode: no module, task, schedule or notification runs. \(all)",
        remedy: SafeMode.remedy)
    ]
  }

  /// The longest usual duration of a change of the settings, in seconds.
  private static let usualChange: Int64 = 30

  /// Returns a finding for a change of the settings that doesn't proceed.
  static func change(_ diagnostics: JSONValue, now: Int64) -> [DoctorFinding] {
    guard let change = diagnostics["change"], let what = change["what"]?.string,
      let since = change["since"]?.int
    else { return [] }
    let seconds = Swift.max(0, now.subtracting(Swift.max(0, Int64(since)))) / 1000
    guard seconds >= usualChange else { return [] }
    return [
      DoctorFinding(
        "change", .warning,
        sentence:
          "A change has been under way for \(seconds) s: \(what). Other changes wait for it.",
        remedy: "\"agent status\" shows which process it waits for; it ends by itself within "
          + "\((ChangeQueue.patience + ChangeQueue.limit).components.seconds) s.")
    ]
  }

  /// Returns the failed starts before now, if no host runs.
  private func failedStarts() -> [DoctorFinding] {
    let record = StartJournal(folder: folder).record
    let starts = record.failed
    guard let last = starts.last else { return [] }
    // The start after a host that died while it read the settings may not read them.
    let isLoop =
      record.isLoop(after: settings.safeModeAfter, settingsAreWrong: settings.settings == nil)
      || record.hasDiedReading
        && record.isLoop(after: record.limitWithoutSettings, settingsAreWrong: true)
    let next =
      isLoop
      ? "The next start is in safe mode."
      : "\"agent start --safe\" starts without modules, tasks and schedules."
    return [
      DoctorFinding(
        "starts", .warning,
        sentence: "The last \(starts.count == 1 ? "start" : "\(starts.count) starts") ended within "
          + "\(StartRecord.period) s without a request. \(last.sentence)",
        remedy: next)
    ]
  }

  /// Returns workers and the socket of a killed host. The next host ends or replaces them.
  private func leftovers() -> [DoctorFinding] {
    let workers = LeftoverProcesses.of(folder)
    if !workers.isEmpty {
      let pids = workers.map(String.init).joined(separator: ", ")
      return [
        DoctorFinding(
          "host", .warning,
          sentence: "No host runs, but workers of a killed host still do: \(pids).",
          remedy:
            "\"agent start\" ends them first; or: kill \(workers.map(String.init).joined(separator: " "))"
        )
      ]
    }
    if FileSystem.exists(folder.socket) {
      return [
        DoctorFinding(
          "host", .warning,
          sentence: "No host runs, but \(folder.socket) exists: the last host was killed.",
          remedy:
            "\"agent start\" replaces it; \"agent logs agent\" and the system's log may say who.")
      ]
    }
    return [DoctorFinding("host", .ok, sentence: "No host runs; \"agent start\" starts one.")]
  }

  func ports() -> [DoctorFinding] {
    if let listeners = diagnostics?["listeners"]?.array {
      let findings = listeners.compactMap { listener -> DoctorFinding? in
        guard listener["state"]?.string == ListenerState.failed.rawValue else { return nil }
        let name = listener["name"]?.string ?? "?"
        return DoctorFinding(
          "port:\(name)", .problem,
          sentence:
            "\(listener["address"]?.string ?? "?"): \(listener["problem"]?.string ?? "not open")",
          remedy: "Free the port, or name another under \(name) in the settings.")
      }
      return findings.or("ports", "Every port that the settings ask for is open.")
    }
    // If a host runs but doesn't answer, it has taken its ports itself.
    guard case .stopped = host else { return [] }
    return wantedPorts.compactMap { name, listen -> DoctorFinding? in
      guard let why = PortProbe.problem(host: listen.host, port: listen.port) else { return nil }
      return DoctorFinding(
        "port:\(name)", .problem, sentence: "\(listen) can't be opened: \(why).",
        remedy: "Free the port (ss -ltnp shows who has it), or name another under \(name).")
    }.or("ports", "Every port that the settings ask for is free.")
  }

  /// The ports in the settings. Without a setting for the API, the next free port is used, so that
  /// one isn't checked.
  private var wantedPorts: [(name: String, listen: ListenAddress)] {
    var ports: [(name: String, listen: ListenAddress)] = []
    if let tcp = settings.settings?.events.tcp { ports.append(("events.tcp", tcp.listen)) }
    if let http = settings.settings?.http, http.isEnabled, !http.isUsualAddress {
      ports.append(("http", http.listen))
    }
    return ports
  }
}

/// Checks whether a port can be opened.
enum PortProbe {
  /// Returns the system's message if the port can't be opened, or `nil`.
  static func problem(host: String, port: Int) -> String? {
    guard port > 0 else { return nil }
    var hints = addrinfo()
    // Numeric addresses only, because a check must not wait for a name server.
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    hints.ai_socktype = Int32(clamping: SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else {
      return "\(host) is no address"
    }
    defer { freeaddrinfo(found) }
    let type = found.pointee.ai_socktype | Int32(clamping: SOCK_CLOEXEC.rawValue)
    let descriptor = socket(found.pointee.ai_family, type, 0)
    guard descriptor >= 0 else { return FileSystem.reason(errno) }
    defer { close(descriptor) }
    // As a server does. Otherwise, recently closed connections would make the port look taken.
    var reuse: Int32 = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(clamping: MemoryLayout<Int32>.size))
    guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
      listen(descriptor, 1) == 0
    else { return FileSystem.reason(errno) }
    return nil
  }
}

/// Finds workers whose host is gone, by the mark of their host.
enum LeftoverProcesses {
  static func of(_ folder: AgentFolder) -> [Int32] {
    Supervisor.processes(with: "AGENT_WORKER_OF=\(folder.path)")
  }
}
