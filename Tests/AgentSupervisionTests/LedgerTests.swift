import AgentSupervision
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct LedgerTests {
  @Test func `the ledger lists running processes and strikes out ended ones`() async throws {
    let folder = try TemporaryFolder()
    let test = try TestSupervisor(.init(records: folder.path + "/workers"))
    let a = try #require(try await test.run(.shell("a")).pid)
    let b = try #require(try await test.run(.shell("b")).pid)
    // They are written a little later, and one that has ended before isn't.
    try await wait(while: folder.lines("workers").count < 3)
    try await test.supervisor.stop("a")
    await test.supervisor.shutdown()
    let lines = folder.lines("workers")
    #expect(lines.first?.hasPrefix("boot ") == true)
    let rest = lines.dropFirst().map { $0.split(separator: " ") }
    #expect(rest.map(\.last) == ["a", "b"])
    #expect(Set(rest.compactMap(\.first)) == ["#\("\(a)".dropFirst())", "#\("\(b)".dropFirst())"])
  }

  @Test func `a successor ends listed or marked processes, and nothing else`() async throws {
    let folder = try TemporaryFolder()
    let marker = "AGENT_WORKER_OF=\(folder.path)"
    let test = try TestSupervisor(.init(records: folder.path + "/workers"))
    let once = RestartPolicy(mode: .temporary)
    let listed = try await test.run(.shell("a", restart: once))
    let other = try TestSupervisor()
    let marked = try await other.run(.shell("b", restart: once, environment: [marker]))
    let stranger = try await other.run(.shell("c", restart: once))
    try await wait(while: folder.lines("workers").count < 2)
    let copy = folder.path + "/copy"
    folder.copy("workers", to: "copy", adding: "\(stranger.pid ?? 0) 1 reused\n")
    let ended = Supervisor.endLeftovers(records: copy, marker: marker)
    #expect(
      Set(ended.map { "\($0.pid) \($0.name ?? "")" })
        == ["\(listed.pid ?? 0) a", "\(marked.pid ?? 0) "])
    await test.events.next(.exited(.signalled(signal: SIGKILL, core: false), reason: nil))
    #expect(try await other.supervisor.status("c").state == .running(started: true))
    await test.supervisor.shutdown()
    await other.supervisor.shutdown()
  }
}

/// A folder that goes when the test is over.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/supervision-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in ["workers", "copy", "program"] { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  func lines(_ name: String) -> [String] {
    text(name).split(separator: "\n").map(String.init)
  }

  func copy(_ name: String, to other: String, adding line: String) {
    let text = text(name) + line
    let file = open("\(path)/\(other)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    _ = write(file, text, text.utf8.count)
    _ = close(file)
  }

  private func text(_ name: String) -> String {
    let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
    defer { _ = close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
