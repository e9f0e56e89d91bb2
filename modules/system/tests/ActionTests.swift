import AgentJSON
import AgentKit
import AgentKitTesting
import Glibc
import Testing

@testable import SystemModule

@Suite struct ActionTests {
  private let quiet = ActionProgress { _ in }

  private func findings(
    load: String = "0.5 0 0 1/1 1", free: Int = 50
  ) throws -> HealthFindings {
    var sample = HostSample(time: 7)
    sample.cpu = CPUTimes("cpu 1 1 1 1 1 1 1 1\ncpu0 1 1 1 1 1 1 1 1\n")
    sample.load = Load(load)
    sample.memory = Memory("MemTotal: 100 kB\nMemAvailable: \(free) kB\n")
    return HealthFindings(sample, warning: .warning, critical: .critical)
  }

  @Test func `the worst metric decides the machine's state`() throws {
    let well = try findings()
    #expect(well.status == .ok && well.summary == "All is well." && well.timestamp == 7)
    #expect(well.checks.map(\.name) == ["load_per_cpu", "memory_percent", "swap_percent"])
    #expect(try findings(load: "2 0 0 1/1 1").status == .warning)
    let bad = try findings(load: "2 0 0 1/1 1", free: 4)
    #expect(bad.status == .critical)
    #expect(bad.summary.hasPrefix("memory_percent is 96.0, which is critical. load_per_cpu is 2.0"))
    let nothing = HealthFindings(HostSample(time: 0), warning: .warning, critical: .critical)
    #expect(nothing.status == .warning && nothing.missing.count == 3)
  }

  @Test func `this machine has a state, and the input sets the bounds`() async throws {
    let action = SystemHealth(settings: .init(), host: TestHost().host)
    let found = try await action.perform(
      .init(critical: .init(memory: 0), mounts: ["/"]), progress: quiet)
    #expect(found.status == .critical)
    #expect(found.checks.contains { $0.name == "disk /" })
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `digests match FIPS 180-4`(text: String, digest: String) {
    var hash = SHA256()
    hash.update(text.utf8)
    #expect(hash.digest() == digest)
  }

  private func write(_ text: String, _ path: String) throws {
    let stream = try #require(fopen(path, "w"))
    fputs(text, stream)
    fclose(stream)
  }

  /// What a program prints.
  private func said(_ command: String) throws -> String {
    let stream = try #require(popen(command, "r"))
    defer { pclose(stream) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(stream), byte != EOF {
      bytes.append(UInt8(truncatingIfNeeded: byte))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func folder() throws -> String {
    var template = Array("/tmp/backup-XXXXXX".utf8CString)
    _ = try #require(mkdtemp(&template))
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  @Test func `a backup is an archive that tar reads, with the source's files`() async throws {
    let folder = try folder()
    let deep = String(repeating: "d", count: 120)
    mkdir("\(folder)/data", 0o755)
    mkdir("\(folder)/data/\(deep)", 0o755)
    try write("one", "\(folder)/data/one.txt")
    try write(String(repeating: "x", count: 1_000), "\(folder)/data/\(deep)/two.txt")
    symlink("one.txt", "\(folder)/data/link")
    mkfifo("\(folder)/data/pipe", 0o600)
    let action = DataBackup(settings: .init(), host: TestHost().host)
    // The archive lies in what is copied, and isn't in itself.
    let done = try await action.perform(
      .init(sources: ["\(folder)/data"], target: "\(folder)/data", name: "all"), progress: quiet)
    #expect(done.files == 2 && done.bytes == 1_003)
    #expect(done.skipped == ["\(folder)/data/pipe"])
    #expect(done.file.hasPrefix("\(folder)/data/all-") && done.file.hasSuffix("Z.tar"))
    #expect(try said("sha256sum \(done.file)").hasPrefix(done.sha256))
    #expect(try said("stat -c %s \(done.file)") == "\(done.size)\n")
    #expect(try said("tar -tf \(done.file) 2>&1 | wc -l") == "5\n")
    mkdir("\(folder)/out", 0o755)
    _ = try said("tar -xf \(done.file) -C \(folder)/out")
    let copy = "\(folder)/out\(folder)/data"
    #expect(try said("cat \(copy)/link") == "one")
    #expect(try said("wc -c < \(copy)/\(deep)/two.txt") == "1000\n")
    _ = try said("rm -r \(folder)")
  }

  @Test func `a source that can't be read leaves nothing behind, and the error says what to do`()
    async throws
  {
    let folder = try folder()
    let action = DataBackup(
      settings: .init(sources: ["/nowhere"], target: folder), host: TestHost().host)
    await #expect(throws: ModuleError.self) { try await action.perform(.init(), progress: quiet) }
    #expect(try said("ls -A \(folder)").isEmpty)
    await #expect(throws: ModuleError.self) {
      try await action.perform(.init(sources: ["relative"]), progress: quiet)
    }
    await #expect(throws: ModuleError.self) {
      try await action.perform(.init(sources: ["/"], name: "../up"), progress: quiet)
    }
    errno = EACCES
    #expect(Refusal.error("read", "/x", key: "read").message.contains("permissions.read"))
    rmdir(folder)
  }
}
