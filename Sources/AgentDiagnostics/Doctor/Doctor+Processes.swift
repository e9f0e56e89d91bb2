internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import AgentWorkers

/// Checks of the agent's processes, or of their crash reports.
extension Doctor {
  func processes() -> [DoctorFinding] {
    if let processes = diagnostics?["processes"]?.array {
      return processes.flatMap(Self.process).or("processes", "Every enabled process runs.")
    }
    // Without a running host, crash reports are the only record of the processes.
    let crashes = FolderDiagnostics(folder, redactor: settings.redactor).crashes.entries
    guard let last = crashes.first else {
      return [DoctorFinding("processes", .ok, sentence: "No crash is on record.")]
    }
    let summary = last.summary
    return [
      DoctorFinding(
        "processes", .warning,
        sentence: "\(last.process) crashed at \(summary["time"]?.string ?? "an unknown time"): "
          + "\(summary["exit"]?.string ?? "")\(Self.place(of: summary)).",
        remedy: "\(last.path) has the backtrace.")
    ]
  }

  /// - Parameter process: the process, as in diagnostics.
  static func process(_ process: JSONValue) -> [DoctorFinding] {
    guard process["enabled"]?.bool == true, let name = process["name"]?.string else { return [] }
    let finding = "process:\(name)"
    let reason = process["reason"]?.string
    let crash = process["crashes"]?.array?.first
    let last = crash.map { crash in
      " Its last crash: \(crash["exit"]?.string ?? "")\(place(of: crash)), at "
        + "\(crash["time"]?.string ?? "an unknown time")."
    }
    switch process["state"]?.string.flatMap(ProcessState.init) {
    case .failed:
      return [
        DoctorFinding(
          finding, .problem,
          sentence: "It has FAILED: \(reason ?? "no reason is known").\(last ?? "")",
          remedy: crash?["file"]?.string.map {
            "\($0) has the backtrace. Once the cause is fixed: agent process start \(name)"
          } ?? "agent logs \(name) says more. Once the cause is fixed: agent process start \(name)")
      ]
    case .backingOff:
      return [
        DoctorFinding(
          finding, .warning,
          sentence:
            "It ended and is being restarted: \(reason ?? "no reason is known").\(last ?? "")",
          remedy: "agent logs \(name)")
      ]
    case .stopped:
      return [
        DoctorFinding(
          finding, .warning, sentence: "It is enabled, but was stopped by a command.",
          remedy: "agent process start \(name), or: agent process disable \(name)")
      ]
    default: return sandbox(process, finding)
    }
  }

  private static func sandbox(_ process: JSONValue, _ name: String) -> [DoctorFinding] {
    guard let level = process["sandbox"]?.string, level != "full" else { return [] }
    return [
      DoctorFinding(
        name, .warning,
        sentence:
          "Its sandbox is \(level)\(process["sandbox_detail"]?.string.map { ": \($0)" } ?? ".")",
        remedy:
          "See the finding about the kernel; \"sandbox\": \"required\" refuses to run without.")
    ]
  }

  private static func place(of crash: JSONValue) -> String {
    crash["frames"]?[0]?.string.map { " in \($0)" } ?? ""
  }
}
