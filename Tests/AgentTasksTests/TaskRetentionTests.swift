import AgentJSON
import AgentStore
import AgentTasksTesting
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AgentTasks

/// What retention removes by bytes.
@Suite struct TaskRetentionTests {
  /// Ends a task with a result of about this many bytes.
  private func end(_ test: EngineUnderTest, bytes: Int) async throws -> Int64 {
    let task = try await test.create()
    test.executor.end(
      task.id, .succeeded(.string(String(repeating: "a", count: bytes))))
    _ = try await test.reached(task.id, .succeeded)
    // No two end at the same moment.
    test.clock.advance(1)
    return task.id
  }

  private func exists(_ test: EngineUnderTest, _ id: Int64) async throws -> Bool {
    try await test.store.read { try $0.tasks.task(id) } != nil
  }

  @Test func `the tasks that ended first are removed when ended tasks have too many bytes`()
    async throws
  {
    let test = try await EngineUnderTest.started { $0.maxEndedBytes = 10_000_000 }
    // Begun first, and ended last.
    let long = try await test.create("long")
    let open = try await test.create("open")
    var ended: [Int64] = []
    for _ in 0..<150 { ended.append(try await end(test, bytes: 100_000)) }
    test.executor.end(long.id, .succeeded(.null))
    _ = try await test.reached(long.id, .succeeded)
    try await eventually("there is space again") {
      test.clock.advance(600_000)
      return try await test.store.read { try $0.tasks.taskSizes() }.kept <= 9_000_000
    }
    let first = try #require(ended.first)
    let last = try #require(ended.last)
    #expect(try await !exists(test, first))
    for id in [last, long.id, open.id] { #expect(try await exists(test, id)) }
    // No more than necessary.
    #expect(try await test.store.read { try $0.tasks.taskSizes() }.kept > 3_000_000)
    test.executor.end(open.id, .succeeded(.null))
    _ = try await test.reached(open.id, .succeeded)
    await test.remove()
  }

  /// A store whose steps of removal do nothing and report a rest.
  private final class IdleRemovalStore: Store {
    private let inner: any Store
    private let count = Atomic(0)

    init(_ inner: any Store) { self.inner = inner }

    /// The number of steps.
    var steps: Int { count.load(ordering: .relaxed) }

    func submit<Value: Sendable>(
      _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
      completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
      guard kind == .freeing else { return inner.submit(kind, body, completion: completion) }
      // A loop without an end fails the test and doesn't hang it.
      if count.add(1, ordering: .relaxed).newValue > 100 {
        return completion(.failure(StoreError(.full, "There are too many steps.")))
      }
      inner.submit(
        kind, { try body(SpiedTransaction($0, removesOldTasks: false)) }, completion: completion)
    }

    func read<Value: Sendable>(
      _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
    ) async throws -> Value { try await inner.read(body) }

    var condition: StoreCondition { inner.condition }
    var statistics: StoreStatistics { inner.statistics }
    func close() async { await inner.close() }
  }

  @Test func `a step that removes nothing ends the round`() async throws {
    let test = try await EngineUnderTest.started()
    _ = try await end(test, bytes: 1_000)
    // Its own, so that it shows when this engine's round is over.
    let clock = TestTime()
    let engine = TaskEngine(
      owner: "retention", pause: { try await clock.pause($0) }, now: { clock.now },
      log: { _, _ in })
    var plan = test.engine.plan
    plan.maxEndedBytes = 100
    engine.apply(plan)
    let store = IdleRemovalStore(test.store)
    let running = Task { try await engine.run(store) }
    try await eventually("the round is over") { clock.hasSleeper(of: 600_000) }
    // By age, and by bytes.
    #expect(store.steps == 2)
    running.cancel()
    _ = try? await running.value
    await test.remove()
  }

  @Test func `artifacts beyond their limit are refused, and those of ended tasks are removed`()
    async throws
  {
    let test = try await EngineUnderTest.started()
    var template = Array("/tmp/retention-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let engine = TaskEngine(
      owner: "artifacts", artifacts: folder, pause: { try await test.clock.pause($0) },
      now: { test.clock.now }, log: { _, _ in })
    var plan = test.engine.plan
    plan.maxArtifactBytes = 10_000
    engine.apply(plan)
    let ended = try await end(test, bytes: 1)
    let open = try await test.create(type: "bots")
    let running = Task { try await engine.run(test.store) }
    try await eventually("it runs") { (try? await engine.counts()) != nil }
    let bytes = [UInt8](repeating: 1, count: 4_000)
    let first = try await engine.keep(bytes, as: "a", of: ended)
    try await engine.keep(bytes, as: "a", of: open.id)
    await #expect {
      try await engine.keep(bytes, as: "b", of: open.id)
    } throws: {
      ($0 as? TaskError)?.code == .conflict && "\($0)".contains("max_artifact_bytes")
    }
    // One of the same size takes no more space.
    try await engine.keep(bytes, as: "a", of: open.id)
    plan.maxArtifactBytes = 8_500
    engine.apply(plan)
    try await eventually("there is space again") {
      test.clock.advance(600_000)
      return try await engine.artifacts(of: ended).isEmpty
    }
    try await eventually("the file is removed") {
      !ArtifactStore.names(in: "\(folder)/\(ended)").contains(first.file)
    }
    #expect(try await engine.artifact("a", of: open.id).bytes == bytes)
    #expect(try await exists(test, ended))
    running.cancel()
    _ = try? await running.value
    ArtifactStore.removeFolder(folder)
    await test.remove()
  }

  @Test func `a retention that fails is logged when it begins to fail and when it works again`()
    async throws
  {
    let test = try await EngineUnderTest.started()
    let words = Mutex<[String]>([])
    let engine = TaskEngine(
      owner: "retention", pause: { try await test.clock.pause($0) }, now: { test.clock.now },
      log: { _, text in words.withLock { $0.append(text) } })
    let running = Task { try await engine.run(test.front) }
    try await eventually("it runs") { (try? await engine.counts()) != nil }
    func said() -> [String] { words.withLock { $0.filter { $0.contains("ld tasks") } } }
    /// Lets several rounds pass.
    func rounds(_ asked: () -> Int) async throws {
      let before = asked()
      try await eventually("there were several rounds") {
        test.clock.advance(100_000)
        return asked() > before + 60
      }
    }
    try await rounds { test.front.reads }
    #expect(said() == [])
    test.front.refuse(StoreError(.full, "There is no space."))
    try await rounds { test.front.refused }
    #expect(said() == ["Old tasks can't be removed; the host retries. There is no space."])
    test.front.refuse(nil)
    try await rounds { test.front.reads }
    #expect(said().dropFirst() == ["Old tasks are removed again."])
    test.front.refuse(StoreError(.full, "There is no space."))
    try await rounds { test.front.refused }
    #expect(said().count == 3)
    running.cancel()
    _ = try? await running.value
    await test.remove()
  }
}
