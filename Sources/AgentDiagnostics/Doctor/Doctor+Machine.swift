internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import AgentSystem
internal import Glibc

/// Checks of the machine.
extension Doctor {
  func disk() -> [DoctorFinding] {
    // Before the first start there is no .agent folder. Later it may be a mount of its own.
    let path = FileSystem.exists(folder.privateFolder) ? folder.privateFolder : folder.path
    return [Self.disk(DiskSpace(at: path), path)]
  }

  static func disk(_ space: DiskSpace?, _ path: String) -> DoctorFinding {
    guard let space else {
      return DoctorFinding("disk", .warning, sentence: "The free space of \(path) is unknown.")
    }
    let (state, reason) = space.verdict
    guard let reason else {
      return DoctorFinding(
        "disk", .ok, sentence: "\(ByteText.of(space.free)) are left on the disk.")
    }
    return DoctorFinding(
      "disk", state == .failing ? .problem : .warning, sentence: reason,
      remedy: "Make room on the file system of \(path): df -h \(path); df -i \(path)")
  }

  // MARK: Kernel

  func kernel() -> [DoctorFinding] { Self.kernel(KernelReport.read(), SystemName.own.release) }

  static func kernel(_ kernel: KernelReport, _ release: String) -> [DoctorFinding] {
    var findings: [DoctorFinding] = []
    if kernel.landlock == 0 {
      let isSwitchedOff = kernel.securityModules.map { !$0.contains("landlock") } ?? false
      findings.append(
        DoctorFinding(
          "kernel:landlock", .warning,
          sentence:
            "The kernel (\(release)) has no landlock: workers can read and write whatever this user can.",
          remedy: isSwitchedOff
            ? "Boot with lsm=landlock,\((kernel.securityModules ?? []).joined(separator: ","))"
            : "Run Linux 5.13 or newer: apt-get install linux-image-amd64"))
    } else if kernel.landlock < 3 {
      findings.append(
        DoctorFinding(
          "kernel:landlock", .warning,
          sentence:
            "The kernel (\(release)) has version \(kernel.landlock) of landlock: workers can truncate "
            + "files that they may only read.",
          remedy: "Run Linux 6.2 or newer; Debian 12 has one in bookworm-backports."))
    }
    if !kernel.hasSeccomp {
      findings.append(
        DoctorFinding(
          "kernel:seccomp", .warning,
          sentence: "The kernel has no seccomp: the system calls of workers aren't filtered.",
          remedy: "Run a kernel with CONFIG_SECCOMP_FILTER; Debian's have it."))
    }
    if !kernel.hasProcessDescriptors {
      findings.append(
        DoctorFinding(
          "kernel:pidfd", .problem,
          sentence: "The kernel has no pidfd_open: workers can't be watched.",
          remedy:
            "Run Linux 5.3 or newer; in a container, let its seccomp profile permit pidfd_open."))
    }
    return findings.or("kernel", "The sandbox is complete (landlock \(kernel.landlock), seccomp).")
  }

  // MARK: Limits

  func limits() -> [DoctorFinding] {
    let processes = settings.settings?.processes.count { $0.enabled } ?? 0
    if case .running(let pid, let diagnostics) = host {
      return Self.limits(
        ProcessLimits(pid: pid), processes: processes,
        used: diagnostics["host"]?["descriptors"]?.int)
    }
    return Self.limits(ProcessLimits(), processes: processes, used: nil)
  }

  /// - Parameter used: the number of the host's open descriptors, if a host runs.
  static func limits(
    _ limits: ProcessLimits, processes: Int, used: Int?
  ) -> [DoctorFinding] {
    var findings: [DoctorFinding] = []
    let wanted = UInt64(clamping: ProcessLimits.descriptors(neededFor: processes))
    if let most = limits.files?.soft {
      // The division comes first, because the limit may be the largest number (unlimited).
      if let used, UInt64(clamping: used) > most / 10 * 9 {
        findings.append(
          few(
            "descriptors", verdict: .problem,
            sentence: "The host has \(used) of \(most) descriptors open.", wanted: wanted))
      } else if most < wanted {
        findings.append(
          few(
            "descriptors", verdict: .warning,
            sentence: "The host may open \(most) files; \(processes) processes may need \(wanted).",
            wanted: wanted))
      }
    }
    if let most = limits.processes?.soft, most < UInt64(clamping: processes) + 64 {
      findings.append(
        DoctorFinding(
          "limits:processes", .warning,
          sentence:
            "This user may have \(most) processes and threads, few for \(processes) workers.",
          remedy:
            "Raise it: ulimit -u, nproc in /etc/security/limits.conf, or TasksMax= of the unit."))
    }
    // The limit counts reserved address space, whether it is used or not. A limit that seems large
    // can prevent threads from starting.
    for (what, limit) in [("address space", limits.addressSpace), ("data", limits.data)] {
      guard let most = limit?.soft, most < 2 << 30 else { continue }
      findings.append(
        DoctorFinding(
          "limits:memory", .warning,
          sentence:
            "The host's \(what) is limited to \(ByteText.of(most)); stacks of threads alone reserve more.",
          remedy: "Lift it: ulimit -v unlimited; ulimit -d unlimited"))
    }
    return findings.or("limits", "The kernel lets the host have what it needs.")
  }

  private static func few(
    _ what: String, verdict: DoctorFinding.Verdict, sentence: String, wanted: UInt64
  ) -> DoctorFinding {
    DoctorFinding(
      "limits:\(what)", verdict, sentence: sentence,
      remedy:
        "Raise it: ulimit -n \(max(4096, wanted * 2)), nofile in /etc/security/limits.conf, or "
        + "LimitNOFILE= of the unit.")
  }

  // MARK: Clock

  func clock() -> [DoctorFinding] {
    let files = [folder.settingsFile, folder.store, folder.logs + "/agent.jsonl", folder.lock]
    let changes = files.compactMap { path in Self.changed(path).map { (path, $0) } }
    return [Self.clock(now: Timestamp.now() / 1000, files: changes)]
  }

  /// - Parameters:
  ///   - now: the current time, in Unix seconds.
  ///   - files: the time of the last change of each file.
  static func clock(now: Int64, files: [(path: String, changed: Int64)]) -> DoctorFinding {
    // 2026-01-01 is before the first release of this program.
    guard now > 1_767_225_600 else {
      return DoctorFinding(
        "clock", .problem,
        sentence: "The clock says \(Timestamp.text(now.multiplied(1000))), which is long past.",
        remedy: "Set it: timedatectl set-ntp true")
    }
    guard let (path, changed) = files.max(by: { $0.changed < $1.changed }),
      changed > now.adding(120)
    else { return DoctorFinding("clock", .ok, sentence: "The clock agrees with the files.") }
    return DoctorFinding(
      "clock", .warning,
      sentence:
        "\(path) was changed at \(Timestamp.text(changed.multiplied(1000))), and that is in the future: the clock "
        + "was ahead then, or is behind now.",
      remedy: "Let it be set by the network: timedatectl set-ntp true. Events of the future stay "
        + "in the log longer than the settings say.")
  }

  private static func changed(_ path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_mtim.tv_sec) : nil
  }
}
