import AgentJSON
import AgentModules
import AgentSettings
import AgentWorkers
import Glibc
import TestSupport
import Testing

@testable import AgentDiagnostics

@Suite struct MachineFactsTests {
  @Test func `this process has a nonzero resource usage`() throws {
    let usage = try #require(ProcessUse(pid: getpid()))
    #expect(usage.memory > 1 << 20)
    #expect(usage.threads > 0)
    #expect(try #require(usage.descriptors) > 2)
    #expect(ProcessUse(pid: 0) == nil)
  }

  @Test func `the descriptor that reads the values isn't counted`() throws {
    let limit = try #require(ProcessLimits().files?.soft)
    let highest = Int32(clamping: min(limit, 1 << 16))
    // Other tests open and close files meanwhile, so the two counts may differ now and then.
    let isEqual = (0..<100).contains { _ in
      let open = (0..<highest).count { fcntl($0, F_GETFD) >= 0 }
      return ProcessUse(pid: getpid())?.descriptors == open
    }
    #expect(isEqual)
  }

  @Test func `a name with spaces and parentheses doesn't shift the fields`() throws {
    let numbers = (4...52).map(String.init).joined(separator: " ")
    let usage = try #require(ProcessUse(stat: "12 (a) name (b)) S \(numbers)"))
    #expect(usage.threads == 20)
    #expect(usage.memory == 24 * sysconf(Int32(_SC_PAGESIZE)))
    #expect(ProcessUse(stat: "12 (short) S 1 2") == nil)
    #expect(ProcessUse(stat: "") == nil)
  }

  @Test func `limits are read from the kernel's table`() throws {
    let limits = ProcessLimits(
      text: """
        Limit                     Soft Limit           Hard Limit           Units
        Max open files            1024                 524288               files
        Max address space         unlimited            unlimited            bytes
        Max processes             junk
        """)
    #expect(limits.files == .init(soft: 1024, hard: 524_288))
    #expect(limits.addressSpace == .init(soft: nil, hard: nil))
    #expect(limits.processes == nil)
    #expect(try #require(ProcessLimits().files?.soft) > 0)
  }

  @Test func `the versions and facilities are found`() throws {
    let versions = try #require(MachineReport.versions.object)
    for (name, value) in versions {
      #expect(value.string?.isEmpty == false || value.int != nil, "\(name)")
    }
    #expect(versions["c_library"]?.string?.hasPrefix("glibc 2.") == true)
    #expect(MachineReport.machine["memory_bytes"]?.int ?? 0 > 1 << 20)
    #expect(KernelReport.read().hasProcessDescriptors)
  }
}

@Suite struct RedactedSettingsTests {
  private func redacted(_ value: JSONValue, _ secrets: [String] = []) -> JSONValue {
    RedactedSettings(redactor: Redactor(secrets)).value(of: value)
  }

  @Test func `a known secret is redacted, wherever it stands and whatever its type`() {
    let value: JSONValue = [
      "url": "https://u:hunter22@host/", "port": 808_080, "list": ["hunter22", true],
      "hunter22": 1,
    ]
    #expect(
      redacted(value, ["hunter22", "808080"]) == [
        "url": "https://u:[secret]@host/", "port": "[secret]", "list": ["[secret]", true],
        "[secret]": 1,
      ])
  }

  @Test func `a text under a secret key is redacted, and a reference stays`() {
    let value: JSONValue = [
      "API_KEY": "abc", "db-Password": "${secret:DB}", "auth_token": ["deep": ["x", 3]],
      "tokens_empty": "", "room": "ops",
    ]
    #expect(
      redacted(value) == [
        "API_KEY": "[secret]", "db-Password": "${secret:DB}",
        "auth_token": ["deep": ["[secret]", "[secret]"]], "tokens_empty": "", "room": "ops",
      ])
  }
}

@Suite struct FolderDiagnosticsTests {
  private func agent(_ settings: String) throws -> (TestFolder, AgentFolder) {
    let folder = try TestFolder()
    try folder.write("settings.json", settings)
    try folder.write(".env", "PASS=canary-7731\n")
    let found = try AgentFolder.locate(settings: "\(folder.path)/settings.json")
    try found.prepare()
    return (folder, found)
  }

  @Test func `a stopped agent is described without its secrets`() async throws {
    let (folder, found) = try agent(
      #"{"agent": {"name": "a", "description": "knows ${secret:PASS}"}}"#)
    try folder.write(
      ".agent/logs/p.jsonl",
      #"{"timestamp":"2026-01-01T00:00:00.000Z","level":"error","message":"canary-7731 is wrong"}"#
        + "\n" + #"{"timestamp":"2026-01-01T00:00:01.000Z","level":"info","message":"fine"}"# + "\n"
    )
    let report = await FolderDiagnostics(found).report(checking: true)
    #expect(report["running"] == false)
    #expect(report["store"] == .null)
    #expect(report["log"]?["recent"]?.array?.map { $0["message"] } == ["[secret] is wrong"])
    #expect(report["settings"]?["agent"]?["description"] == "knows ${secret:PASS}")
    #expect(!report.text().contains("canary-7731"))
  }

  @Test func `a bundle has settings, logs and crashes, and no secret`() async throws {
    let (folder, found) = try agent(
      #"{"agent": {"name": "a", "description": "${secret:PASS}"}}"#)
    try folder.write(".agent/logs/agent.jsonl", "{\"message\":\"canary-7731\"}\n")
    try folder.write(".agent/crashes/.keep", "")
    try folder.write(
      ".agent/crashes/p-1-2.json",
      #"{"process":"p","time":"2026-01-01T00:00:00.000Z","exit":"SIGSEGV canary-7731"}"#)
    let bundle = try await FolderDiagnostics(found).bundle()
    let files = try SupportBundle.files(in: bundle.bytes)
    #expect(
      files.map(\.path) == [
        "bundle/README.txt", "bundle/diagnostics.json", "bundle/features.json",
        "bundle/settings.json", "bundle/logs/agent.jsonl", "bundle/crashes/p-1-2.json",
      ])
    let all = files.map { String(decoding: $0.content, as: UTF8.self) }
    #expect(all.allSatisfy { !$0.contains("canary-7731") })
    #expect(all[4] == "{\"message\":\"[secret]\"}\n")
    #expect(all[0].contains("logs/agent.jsonl"))
    #expect(try SupportBundle.contents(of: bundle.bytes).map(\.size) == files.map(\.content.count))
    #expect(throws: HostError.self) { try SupportBundle.contents(of: [1, 2, 3]) }
  }

  @Test func `settings that aren't JSON are left out with a note`() throws {
    let (_, found) = try agent("{ canary")
    let text = try #require(FolderDiagnostics(found).settings.string)
    #expect(text.hasPrefix("They can't be shown: "))
  }

  @Test func `a long log is shown by its last whole lines`() throws {
    let folder = try TestFolder()
    let lines = (0..<1000).map { "line \($0)\n" }.joined()
    let path = try folder.write("a.jsonl", lines)
    let tail = LogTails.tail(of: path, most: 100)
    #expect(tail.hasPrefix("line ") && tail.hasSuffix("line 999\n"))
    #expect(tail.utf8.count <= 100 && tail.utf8.count > 80)
    #expect(LogTails.tail(of: path, most: 1 << 20) == lines)
    #expect(LogTails.tail(of: "\(folder.path)/none", most: 10) == "")
  }
}
