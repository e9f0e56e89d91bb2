import AgentStore
import CStoreFaults
import Synchronization
import Testing

/// A store whose time stands still until a test lets it go, on a file with faults.
final class BrokenStore: Sendable {
  let folder: TemporaryFolder
  let time = ManualClock()
  let store: SQLiteStore
  let conditions: ConditionLog
  /// The log of recent changes, and the file itself.
  let log: String
  let file: String

  init(_ change: (inout SQLiteStoreConfiguration) -> Void = { _ in }) async throws {
    #expect(store_faults_register() == 0)
    folder = try TemporaryFolder()
    file = folder.file("store.db")
    log = "\(file)-wal"
    let conditions = ConditionLog()
    self.conditions = conditions
    var configuration = SQLiteStoreConfiguration(path: file, clock: time.clock)
    configuration.conditionChanged = { conditions.add($0) }
    change(&configuration)
    // In this order: the log's path begins with the file's.
    store_faults_clear(log)
    store_faults_clear(file)
    store = try await SQLiteStore.open(configuration)
  }

  deinit {
    store_faults_forget(log)
    store_faults_forget(file)
  }

  func fails(
    _ path: String, _ operation: store_fault_operation, code: Int32, skip: Int64 = 0,
    times: Int64 = .max
  ) {
    #expect(store_fault_set(path, Int32(operation.rawValue), code, skip, times) == 0)
  }

  func repair() {
    store_faults_clear(log)
    store_faults_clear(file)
  }

  /// Stores events one by one. Returns how many were acknowledged, and why the next one wasn't.
  func append(_ count: Int, from first: Int = 0) async -> (acknowledged: Int, error: StoreError?) {
    for n in 0..<count {
      do {
        _ = try await store.write(.single) {
          try $0.events.append([.sample(at: Int64(first + n), n: first + n)])
        }
      } catch { return (n, error as? StoreError) }
    }
    return (count, nil)
  }

  func timestamps() async throws -> [Int64] {
    var found: [Int64] = []
    for try await page in store.pages(of: EventSelection()) { found += page.map(\.timestamp) }
    return found
  }

  /// Lets the next try begin and waits until it has ended: a file that may be broken is read by a
  /// thread of its own.
  func letTryAgain() async {
    time.advance(time.nextDelay ?? 0)
    repeat {
      try? await Task.sleep(for: .milliseconds(1))
      _ = try? await store.write { _ in }
    } while store.condition != .ready && time.nextDelay == nil
  }
}

/// What a store has said of its condition.
final class ConditionLog: Sendable {
  private let entries = Mutex<[StoreCondition]>([])
  var all: [StoreCondition] { entries.withLock { $0 } }
  func add(_ condition: StoreCondition) { entries.withLock { $0.append(condition) } }
}
