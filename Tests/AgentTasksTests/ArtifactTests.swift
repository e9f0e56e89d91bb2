import AgentJSON
import AgentStore
import AgentTasksTesting
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AgentTasks

/// The files that tasks leave.
@Suite struct ArtifactTests {
  @Test func `names that would leave the folder or be hidden are refused`() {
    for name in [
      "", ".", "..", ".hidden", "a/b", "../a", "a\nb", String(repeating: "a", count: 201),
    ] {
      #expect(ArtifactStore.problem(withName: name) != nil, "\(name)")
    }
    for name in [
      "a", "report.pdf", "Bild 1.png", "ä.txt", "a..b", String(repeating: "a", count: 200),
    ] {
      #expect(ArtifactStore.problem(withName: name) == nil, "\(name)")
    }
  }

  @Test func `a file's media type follows from its name`() {
    #expect(ArtifactMedia.type(ofName: "a.PNG") == "image/png")
    #expect(ArtifactMedia.type(ofName: "a.tar.gz") == "application/gzip")
    #expect(ArtifactMedia.type(ofName: "png") == "application/octet-stream")
    #expect(ArtifactMedia.type(ofName: "a.") == "application/octet-stream")
  }

  private static func folder() throws -> String {
    var template = Array("/tmp/artifacts-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TaskError(.notReady, "no folder") }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  @Test func `a file that came too late doesn't replace a kept one`() async throws {
    let test = try await EngineUnderTest.started()
    let folder = try Self.folder()
    let engine = TaskEngine(
      owner: "artifacts", artifacts: folder, now: { test.clock.now }, log: { _, _ in })
    engine.apply(test.engine.plan)
    try await engine.open(test.store)
    let task = try await test.create(type: "bots")
    let first = try #require(
      try await engine.assign(task.id, to: "x", until: .max, note: "", by: nil))
    let late = TaskLease(task: task.id, attempt: first.attempt, owner: "x")
    try await engine.keep([1], as: "a.bin", of: task.id, lease: late)
    _ = try await engine.reject(late, reason: "no", by: nil)
    let second = try #require(
      try await engine.assign(task.id, to: "y", until: .max, note: "", by: nil))
    let lease = TaskLease(task: task.id, attempt: second.attempt, owner: "y")
    try await engine.keep([2, 2], as: "a.bin", of: task.id, lease: lease)
    await #expect(throws: TaskError.self) {
      try await engine.keep([3, 3, 3], as: "a.bin", of: task.id, lease: late)
    }
    let kept = try await engine.artifact("a.bin", of: task.id)
    #expect(kept.bytes == [2, 2] && kept.about.size == 2)
    // Nothing else lies there.
    #expect(ArtifactStore.names(in: "\(folder)/\(task.id)") == [kept.about.file])
    await engine.artifactStore?.remove([task.id])
    rmdir(folder)
    await test.remove()
  }

  /// What becomes of a write that fails with an unknown result.
  enum UnknownResult: CaseIterable { case refused, undone, stored }

  @Test(arguments: UnknownResult.allCases)
  func `an artifact is readable after a replacement with an unknown result`(
    _ result: UnknownResult
  ) async throws {
    let test = try await EngineUnderTest.started()
    let folder = try Self.folder()
    let engine = TaskEngine(
      owner: "artifacts", artifacts: folder, pause: { try await test.clock.pause($0) },
      now: { test.clock.now }, log: { _, _ in })
    engine.apply(test.engine.plan)
    let running = Task { try await engine.run(test.front) }
    try await eventually("it runs") { (try? await engine.counts()) != nil }
    let task = try await test.create(type: "bots")
    try await engine.keep([1], as: "a.bin", of: task.id)
    let fault = StoreError(.fault, "The disk has failed.")
    switch result {
    case .refused: test.front.refuse(fault)
    case .undone: test.front.undoAndFail(fault)
    case .stored: test.front.storeAndFail(fault)
    }
    await #expect(throws: fault) { try await engine.keep([2, 2], as: "a.bin", of: task.id) }
    let bytes: [UInt8] = result == .stored ? [2, 2] : [1]
    #expect(try await engine.artifact("a.bin", of: task.id).bytes == bytes)
    let files = { ArtifactStore.names(in: "\(folder)/\(task.id)") }
    // A write that never began leaves no file in doubt, however many are refused.
    #expect(files().count == (result == .refused ? 1 : 2))
    test.front.refuse(nil)
    try await eventually("the file that no row names is removed") {
      test.clock.advance(1_000)
      return files().count == 1
    }
    let kept = try await engine.artifact("a.bin", of: task.id)
    #expect(kept.bytes == bytes && files() == [kept.about.file])
    running.cancel()
    _ = try? await running.value
    ArtifactStore.removeFolder(folder)
    await test.remove()
  }

  @Test func `a kept file's name is durable, and the names of its folders`() async throws {
    let folder = try Self.folder()
    // The number of names in each folder when it is synced.
    let synced = Mutex<[(path: String, names: Int)]>([])
    let store = ArtifactStore(folder: "\(folder)/artifacts", run: "r") { path in
      synced.withLock { $0.append((path, ArtifactStore.names(in: path).count)) }
      return true
    }
    let file = try await store.write([1], of: 7)
    #expect(
      synced.withLock { $0.map(\.path) } == [
        "\(folder)/artifacts/7", "\(folder)/artifacts", "\(folder)/artifacts/..",
      ])
    #expect(synced.withLock { $0.allSatisfy { $0.names == 1 } })
    #expect(ArtifactStore.names(in: "\(folder)/artifacts/7") == [file])
    ArtifactStore.removeFolder(folder)
  }

  @Test(arguments: 1...3)
  func `a file whose name can't be made durable isn't kept`(_ place: Int) async throws {
    let folder = try Self.folder()
    let count = Mutex(0)
    let store = ArtifactStore(folder: "\(folder)/artifacts", run: "r") { _ in
      count.withLock { count in
        count += 1
        errno = EIO
        return count != place
      }
    }
    await #expect(throws: TaskError.self) { _ = try await store.write([1], of: 7) }
    #expect(ArtifactStore.names(in: "\(folder)/artifacts/7").isEmpty)
    ArtifactStore.removeFolder(folder)
  }
}
