internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import Glibc

/// Checks of files: owners, modes, and whether the host can write where it must.
extension Doctor {
  func privacy() -> [DoctorFinding] {
    var findings: [DoctorFinding] = []
    if FileSystem.isOpenToOthers(folder.environmentFile) {
      findings.append(
        DoctorFinding(
          "privacy", .problem,
          sentence: "Other users can read or change \(folder.environmentFile).",
          remedy: "chmod 600 \(folder.environmentFile)"))
    }
    if let mode = FileMode(folder.settingsFile), mode.isWritableByOthers {
      findings.append(
        DoctorFinding(
          "privacy", .problem,
          sentence: "Other users can change \(folder.settingsFile), and with it what runs here.",
          remedy: "chmod go-w \(folder.settingsFile)"))
    }
    for path in [folder.privateFolder, folder.store] {
      guard let mode = FileMode(path) else { continue }
      if mode.owner != geteuid() {
        findings.append(
          DoctorFinding(
            "privacy", .problem,
            sentence: "\(path) belongs to user \(mode.owner), and this is user \(geteuid()).",
            remedy: "Run as that user, or: chown -R \(geteuid()) \(path)"))
      } else if mode.isOpenToOthers {
        findings.append(
          DoctorFinding(
            "privacy", .warning, sentence: "Other users can look into \(path).",
            remedy: "chmod go= \(path)"))
      }
    }
    return findings.or("privacy", "Private files are closed to other users.")
  }

  func logFiles() -> [DoctorFinding] {
    var findings: [DoctorFinding] = []
    if FileSystem.exists(folder.logs), access(folder.logs, W_OK) != 0 {
      findings.append(unwritable(folder.logs, FileSystem.reason(errno)))
    }
    for (path, problem) in diagnostics?["log"]?["unwritable"]?.object ?? [:] {
      findings.append(unwritable(path, problem.string ?? ""))
    }
    let dropped = diagnostics?["log"]?["dropped"]?.int ?? 0
    if dropped > 0 {
      findings.append(
        DoctorFinding(
          "log", .warning,
          sentence: "\(dropped) log records were dropped: they came faster than the disk.",
          remedy: "Raise logging.level, or find out who writes so much: ls -lS \(folder.logs)"))
    }
    return findings.or("log", "Log files are written.")
  }

  private func unwritable(_ path: String, _ why: String) -> DoctorFinding {
    DoctorFinding(
      "log", .problem, sentence: "\(path) can't be written: \(why).",
      remedy: "Give it back to this user: chown -R \(geteuid()) \(folder.privateFolder)")
  }
}

/// The owner and the mode of a file. `nil` if it doesn't exist.
struct FileMode {
  let owner: uid_t
  private let bits: mode_t

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    owner = status.st_uid
    bits = status.st_mode
  }

  var isOpenToOthers: Bool { bits & 0o077 != 0 }
  var isWritableByOthers: Bool { bits & 0o022 != 0 }
}
