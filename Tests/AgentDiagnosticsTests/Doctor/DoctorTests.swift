import AgentJSON
import AgentModules
import AgentSettings
import AgentStore
import Glibc
import TestSupport
import Testing

@testable import AgentDiagnostics

/// An agent's folder in which a test makes a fault, and what the doctor says of it.
private struct Patient {
  let folder = try? TestFolder()
  let found: AgentFolder

  init(_ settings: String = "{}", manifest: String? = nil) throws {
    let folder = try #require(folder)
    try folder.write("settings.json", settings)
    if let manifest { try folder.write("modules/m/module.json", manifest) }
    found = try AgentFolder.locate(settings: "\(folder.path)/settings.json")
    try found.prepare()
  }

  var path: String { folder?.path ?? "" }

  func write(_ name: String, _ text: String) throws { try folder?.write(name, text) }

  func findings(
    host: AgentDiagnostics.Doctor.Host = .stopped, needsBuild: Bool = false
  ) async -> [DoctorFinding] {
    await AgentDiagnostics.Doctor(found, host: host) { _ in needsBuild }.findings()
  }

  /// What is said of one thing that isn't as it should be.
  func finding(
    _ name: String, host: AgentDiagnostics.Doctor.Host = .stopped, needsBuild: Bool = false
  ) async throws -> DoctorFinding {
    let findings = await findings(host: host, needsBuild: needsBuild)
    let found = findings.first { $0.name == name }
    return try #require(found, "\(findings.map(\.name))")
  }

  static let library = """
    {"name": "m", "version": "1.0.0", "abi": 1, "library": "libm.so",
     "actions": {"a": {"title": "A"}}}
    """
  static let enabled = #"{"enabled_modules": ["m"]}"#
}

@Suite struct DoctorTests {
  @Test func `a healthy agent has no problem`() async throws {
    let patient = try Patient()
    let findings = await patient.findings().filter { $0.name != "installation" }
    #expect(findings.filter { $0.verdict == .problem } == [])
    for name in ["settings", "modules", "privacy", "host", "disk", "database", "ports", "clock"] {
      #expect(findings.first { $0.name == name }?.verdict == .ok, "\(name)")
    }
  }

  // MARK: Starts

  @Test func `failed starts are reported with their last step and what the next start does`()
    async throws
  {
    let patient = try Patient()
    for pid in 1...2 {
      let journal = StartJournal(folder: patient.found)
      journal.begin(pid: Int32(pid), at: 0)
      journal.enter("the start of clock")
    }
    let finding = try await patient.finding("starts")
    #expect(finding.verdict == .warning)
    #expect(finding.sentence.contains("2 starts"), "\(finding.sentence)")
    #expect(finding.sentence.contains("the start of clock"), "\(finding.sentence)")
    #expect(finding.remedy?.contains("--safe") == true)
    StartJournal(folder: patient.found).begin(pid: 3, at: 0)
    let next = try await patient.finding("starts")
    #expect(next.remedy == "The next start is in safe mode.")
  }

  // MARK: Settings and modules

  @Test func `wrong settings are reported with their place and the number of further ones`()
    async throws
  {
    let patient = try Patient(#"{"agent": {"name": 5, "nam": 1}}"#)
    let finding = try await patient.finding("settings")
    #expect(finding.verdict == .problem)
    #expect(finding.sentence.contains("settings.json:1:"))
    #expect(finding.sentence.contains("1 more error"))
    #expect(finding.remedy?.contains("agent validate") == true)
  }

  @Test func `an unset variable keeps the agent from running`() async throws {
    let patient = try Patient(#"{"agent": {"description": "${env:SURELY_NOT_SET}"}}"#)
    #expect(try await patient.finding("settings").verdict == .problem)
  }

  @Test func `a library that isn't built or is invalid is a problem`() async throws {
    let patient = try Patient(Patient.enabled, manifest: Patient.library)
    let missing = try await patient.finding("module:m")
    #expect(missing.verdict == .problem)
    #expect(missing.remedy == "agent build m")
    try patient.write("modules/m/libm.so", "no library")
    let wrong = try await patient.finding("module:m")
    #expect(wrong.verdict == .problem)
    #expect(wrong.sentence.contains("is no shared library"))
  }

  @Test func `a library for another machine is a problem`() async throws {
    let patient = try Patient(Patient.enabled, manifest: Patient.library)
    // The program that runs this test, as if it were for an unknown processor.
    var bytes = try FileSystem.read("/bin/true")
    bytes[16] = 3  // e_type: a shared library
    bytes[18] = 0xf3  // e_machine: RISC-V
    try FileSystem.replace("\(patient.path)/modules/m/libm.so", with: bytes)
    let finding = try await patient.finding("module:m")
    #expect(finding.verdict == .problem)
    #expect(finding.sentence.contains("was built for"))
  }

  @Test func `a missing package and a missing command are named`() async throws {
    let patient = try Patient(
      Patient.enabled,
      manifest: """
        {"name": "m", "version": "1.0.0", "abi": 1, "command": ["./run-me"],
         "requires": {"packages": ["surely-no-package"]}, "actions": {"a": {"title": "A"}}}
        """)
    let findings = await patient.findings().filter { $0.name == "module:m" }
    #expect(findings.map(\.verdict) == [.problem, .problem])
    #expect(findings.first?.sentence.contains("./run-me") == true)
    #expect(findings.last?.remedy == "apt-get install surely-no-package")
  }

  // MARK: Files

  @Test func `files that others may read or change are reported with a remedy`() async throws {
    let patient = try Patient()
    try patient.write(".env", "A=1\n")
    chmod("\(patient.path)/.env", 0o644)
    let open = try await patient.finding("privacy")
    #expect(open.verdict == .problem)
    #expect(open.remedy == "chmod 600 \(patient.found.environmentFile)")
    chmod("\(patient.path)/.env", 0o600)
    chmod("\(patient.path)/settings.json", 0o666)
    #expect(try await patient.finding("privacy").sentence.contains("can change"))
    chmod("\(patient.path)/settings.json", 0o644)
    chmod("\(patient.path)/.agent", 0o755)
    #expect(try await patient.finding("privacy").verdict == .warning)
  }

  // MARK: The host

  @Test func `a socket left by a killed host is reported`() async throws {
    let patient = try Patient()
    try patient.write(".agent/agent.sock", "")
    let finding = try await patient.finding("host")
    #expect(finding.verdict == .warning)
    #expect(finding.sentence.contains("was killed"))
  }

  @Test func `workers whose host is gone are named`() async throws {
    let patient = try Patient()
    var pid: pid_t = 0
    var words = [strdup("sleep"), strdup("1000"), nil]
    var variables = [strdup("AGENT_WORKER_OF=\(patient.found.path)"), nil]
    defer { for word in words + variables { free(word) } }
    #expect(posix_spawn(&pid, "/bin/sleep", nil, nil, &words, &variables) == 0)
    defer {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    let finding = try await patient.finding("host")
    #expect(finding.verdict == .warning)
    #expect(finding.sentence.contains("\(pid)"))
  }

  @Test func `a host that holds the lock but doesn't answer is a problem`() async throws {
    let patient = try Patient()
    let lock = try HostLock(path: patient.found.lock)
    #expect(HostLock.isHeld(path: patient.found.lock))
    let finding = try await patient.finding(
      "host", host: .silent(pid: HostLock.holder(path: patient.found.lock), why: "No answer."))
    #expect(finding.verdict == .problem)
    #expect(finding.sentence.contains("pid \(getpid())"))
    withExtendedLifetime(lock) {}
  }

  @Test func `a port used by another program is a problem`() async throws {
    let holder = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(holder) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        try #require(bind(holder, pointer, length) == 0 && listen(holder, 1) == 0)
        getsockname(holder, pointer, &length)
      }
      return UInt16(bigEndian: pointer.pointee.sin_port)
    }
    let patient = try Patient(#"{"events": {"tcp": {"listen": "127.0.0.1:\#(port)"}}}"#)
    let finding = try await patient.finding("port:events.tcp")
    #expect(finding.verdict == .problem)
    #expect(finding.sentence.contains("in use"))
  }

  @Test func `an open port and a readable key are reported`() async throws {
    let open = try Patient(#"{"http": {"allow_local_without_token": true}}"#)
    #expect(try await open.finding("access").verdict == .warning)
    let settings = #"{"http": {"tls": {"certificate": "cert.pem", "key": "key.pem"}}}"#
    let patient = try Patient(settings)
    let missing = try await patient.finding("access")
    #expect(missing.verdict == .problem && missing.sentence.contains("cert.pem"))
    try patient.write("cert.pem", "x")
    try patient.write("key.pem", "x")
    chmod("\(patient.path)/key.pem", 0o644)
    #expect(
      try await patient.finding("access").remedy == "chmod 600 \(patient.found.path)/key.pem")
    chmod("\(patient.path)/key.pem", 0o600)
    #expect(try await patient.finding("access").verdict == .ok)
  }

  // MARK: The database

  @Test func `a damaged database and one of a newer version are problems`() async throws {
    let patient = try Patient()
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: patient.found.store))
    _ = try await store.write { transaction in
      try transaction.events.append(
        (0..<500).map { NewEvent(type: "t", timestamp: $0, source: "s", body: Array("{}".utf8)) })
    }
    await store.close()
    #expect(try await patient.finding("database").verdict == .ok)
    var bytes = try FileSystem.read(patient.found.store)
    bytes[61] = 1  // user_version, in the file's header
    try FileSystem.replace(patient.found.store, with: bytes, mode: 0o600)
    let newer = try await patient.finding("database")
    #expect(newer.verdict == .problem && newer.sentence.contains("newer version"))
    bytes[61] = 0
    for index in 4096..<bytes.count { bytes[index] = 0x5a }
    try FileSystem.replace(patient.found.store, with: bytes, mode: 0o600)
    let damaged = try await patient.finding("database")
    #expect(damaged.verdict == .problem, "\(damaged)")
    #expect(damaged.remedy?.contains("backup") == true)
    chmod(patient.found.store, 0o644)
    #expect(try await patient.finding("privacy").sentence.contains("store.db"))
  }

  @Test(arguments: [
    ("FULL", "Make room"), ("FAULTY", "Leave the file"), ("CORRUPT", "restore a backup"),
  ])
  func `a backup is recommended for damage only`(state: String, remedy: String) {
    let store: JSONValue = ["condition": ["state": .string(state), "problem": "No."]]
    let findings = AgentDiagnostics.Doctor.database(store, "store.db")
    #expect(findings.first?.remedy?.contains(remedy) == true, "\(findings)")
    // A file that can't be read at the moment may be sound.
    let unread = AgentDiagnostics.Doctor.database(["problem": "No."], "store.db")
    #expect(unread.first?.remedy?.contains("restore") == false, "\(unread)")
  }

  @Test func `a journal mode that another program changed is reported`() {
    let finding = AgentDiagnostics.Doctor.database(["journal_mode": "delete"], "store.db")
    #expect(finding.map(\.verdict) == [.warning])
  }

  @Test func `old events against the retention settings are reported with their holder`()
    async throws
  {
    let patient = try Patient(#"{"events": {"retention": {"max_age_days": 2}}}"#)
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: patient.found.store))
    _ = try await store.write { transaction in
      try transaction.events.append([
        NewEvent(type: "old", timestamp: 1_600_000_000_000, source: "s", body: Array("{}".utf8))
      ])
    }
    await store.close()
    let finding = try await patient.finding("events:old")
    #expect(finding.verdict == .warning)
    #expect(finding.sentence.contains("days old"))
    let settings = try #require(SettingsFile.load(patient.found).settings?.events)
    let held = AgentDiagnostics.Doctor.eventLog(
      [["type": "a", "bytes": 3_000_000_000, "count": 5, "first": 100, "last": 100]],
      consumers: [["name": "exporter", "behind": 7]], settings: settings, now: 200)
    #expect(held.first?.sentence.contains("the durable consumer exporter is 7 behind") == true)
  }

  @Test(arguments: [Int.max, .min, 0])
  func `no number of the settings or the database ends the check`(_ number: Int) throws {
    let patient = try Patient()
    var settings = try #require(SettingsFile.load(patient.found).settings?.events)
    settings.retention = .init(
      maxAgeDays: Double(number), maxEvents: max(0, number), maxBytes: max(0, number))
    let many: JSONValue = [
      "type": "a", "bytes": JSONValue(Int.max), "count": JSONValue(Int.max),
      "first": JSONValue(number),
    ]
    let findings = AgentDiagnostics.Doctor.eventLog(
      [many], consumers: [["name": "c", "behind": JSONValue(number)]], settings: settings,
      now: .max)
    // No number is larger than the largest limit.
    #expect(findings.first?.verdict == (number == .max ? .ok : .warning))
    let store = AgentDiagnostics.Doctor.database(
      [
        "pages": JSONValue(number), "page_bytes": JSONValue(Int.max),
        "log_bytes": JSONValue(number),
      ], "store.db")
    #expect(!store.isEmpty)
  }

  // MARK: The clock

  @Test func `a file dated in the future is reported as a wrong clock`() async throws {
    let patient = try Patient()
    let future = timespec(tv_sec: time(nil) + 86_400, tv_nsec: 0)
    let times = [future, future]
    #expect(utimensat(AT_FDCWD, "\(patient.path)/settings.json", times, 0) == 0)
    let finding = try await patient.finding("clock")
    #expect(finding.verdict == .warning)
    #expect(finding.sentence.contains("settings.json"))
    #expect(AgentDiagnostics.Doctor.clock(now: 3600, files: []).verdict == .problem)
  }

  // MARK: Crashes

  @Test func `a stopped agent's last crash is reported`() async throws {
    let patient = try Patient()
    try patient.write(".agent/crashes/.keep", "")
    for (number, name) in ["first", "last"].enumerated() {
      try patient.write(
        ".agent/crashes/\(name)-1-1.json",
        """
        {"process": "\(name)", "time": "2026-01-0\(number + 1)T00:00:00.000Z",
         "exit": "was ended by SIGSEGV", "frames": [{"image": "x", "function": "boom"}]}
        """)
    }
    let finding = try await patient.finding("processes")
    #expect(finding.verdict == .warning)
    #expect(finding.sentence.contains("last crashed at 2026-01-02"))
    #expect(finding.sentence.contains("SIGSEGV in boom"))
  }
}
