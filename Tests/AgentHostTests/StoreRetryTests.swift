import AgentLogging
import AgentStore
import Synchronization
import Testing

@testable import AgentHost

/// A step of the start on a disk that is full or broken for a while.
@Suite struct StoreRetryTests {
  private let log: LogHub
  private let pauses = Counter()

  init() {
    var configuration = LogConfiguration()
    configuration.toStandardError = false
    log = LogHub(configuration)
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock(\.self) }
    func add() -> Int {
      value.withLock {
        $0 += 1
        return $0
      }
    }
  }

  private func retry(isEnding: @escaping @Sendable () -> Bool = { false }) -> StoreRetry {
    StoreRetry(log: log, isEnding: isEnding) { [pauses] _ in _ = pauses.add() }
  }

  @Test(arguments: [StoreError.Code.full, .fault, .group])
  func `a step is repeated until the disk takes it`(_ code: StoreError.Code) async throws {
    let tries = Counter()
    try await retry().run("Nothing works.") {
      if tries.add() < 4 { throw StoreError(code, "The disk is full.") }
    }
    #expect(tries.count == 4)
    #expect(pauses.count == 3)
  }

  @Test(arguments: [StoreError.Code.corrupt, .closed, .newer, .invalid])
  func `an error that stays ends the step`(_ code: StoreError.Code) async {
    let tries = Counter()
    await #expect(throws: StoreError.self) {
      try await retry().run("Nothing works.") {
        _ = tries.add()
        throw StoreError(code, "It stays.")
      }
    }
    #expect(tries.count == 1)
  }

  @Test func `a host that ends doesn't repeat the step`() async {
    let tries = Counter()
    let pauses = pauses
    await #expect(throws: StoreError.self) {
      try await retry(isEnding: { pauses.count == 2 }).run("Nothing works.") {
        _ = tries.add()
        throw StoreError(.full, "The disk is full.")
      }
    }
    #expect(tries.count == 2)
  }

  @Test func `each different error of a step is logged once`() async throws {
    let messages = Mutex<[String]>([])
    let subscription = log.subscribe { record in messages.withLock { $0.append(record.message) } }
    let errors = [
      StoreError(.full, "It is full.", cause: "a"), StoreError(.full, "It is full."),
      StoreError(.fault, "It is broken."), StoreError(.full, "It is full."),
    ]
    let tries = Counter()
    try await retry().run("Nothing works.") {
      let number = tries.add()
      if number <= errors.count { throw errors[number - 1] }
    }
    log.flush()
    log.unsubscribe(subscription)
    #expect(
      messages.withLock { $0 } == [
        "Nothing works. It is full. (a) The host retries.",
        "Nothing works. It is broken. The host retries.",
      ])
  }
}
