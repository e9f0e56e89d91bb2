import AgentStore
import AgentSystem
import Glibc
import Testing

/// Tasks beside a model of what they may do: lives that seeds decide, of which each is the same each
/// time. `TASK_SEEDS="COUNT FIRST"` says how many; `make torture` takes ten thousand.
@Suite struct TaskEngineModelTests {
  private static let seeds: Range<UInt64> = {
    let words = getenv("TASK_SEEDS").map { String(cString: $0).split(separator: " ") } ?? []
    let count = words.first.flatMap { UInt64($0) } ?? 150
    let first = words.dropFirst().first.flatMap { UInt64($0) } ?? 1
    return first..<first + count
  }()

  @Test func `tasks keep to the rules, whatever happens in whatever order`() async throws {
    let folder = SimulationRun.folder()
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: folder + "/store.db"))
    // Apart from the threads that all share: this one waits for the database.
    let failures = try await onOwnThread { () -> [String] in
      let run = SimulationRun(store)
      var failures: [String] = []
      for seed in Self.seeds where failures.count < 3 {
        if let failure = run.failure(of: seed) { failures.append("\(failure)") }
      }
      return failures
    }
    await store.close()
    for suffix in ["", "-wal", "-shm", ".lock"] { unlink("\(folder)/store.db\(suffix)") }
    rmdir(folder)
    for failure in failures { Issue.record("\(failure)") }
    if Self.seeds.count > 1_000 { print("tasks: \(Self.seeds.count) lives lived") }
  }
}

/// Does something on a thread of its own.
private func onOwnThread<Value: Sendable>(
  _ body: @escaping @Sendable () -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    do {
      try DetachedThread.start("model") { continuation.resume(returning: body()) }
    } catch {
      continuation.resume(throwing: error)
    }
  }
}
