import AgentEvents
import AgentJSON
import AgentSupervision
import AgentSystem
import AgentWorkerProtocol
import Glibc
import TestSupport
import Testing

@testable import AgentWorkers

/// A module that calls the host's services with anything: every call is answered, what is refused is
/// refused with its place, and the services work afterwards.
///
/// In the suite a short run; `make fuzz` sets `FUZZ_STEPS` and `FUZZ_SEED`.
@Suite struct ServiceFuzz {
  /// How many calls are under way at a time.
  private static let width = 32
  /// After this number of calls the databases are new ones, so that what calls make doesn't accumulate.
  private static let callsOfOne = 10_000

  private static func number(_ name: String, _ usual: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? usual
  }

  @Test func `no call of a module ends the host's services, and each refusal names its place`()
    async throws
  {
    let steps = Self.number("FUZZ_STEPS", 3_000)
    let seed = Self.number("FUZZ_SEED", 1)
    print("fuzz: services: \(steps) steps, seed \(seed)")
    var calls = ServiceCalls(seed: UInt64(clamping: seed))
    var (answered, refused, left) = (0, 0, steps)
    while left > 0 {
      let services = try await FuzzedServices()
      let part = min(left, Self.callsOfOne)
      left -= part
      for _ in 0..<(part + Self.width - 1) / Self.width {
        let made = (0..<Self.width).map { _ in calls.next() }
        let results = await services.results(of: made)
        for (call, result) in zip(made, results) {
          switch result {
          case .success(let answer):
            answered += 1
            let value = try? JSONValue(parsing: answer)
            #expect(value != nil, "no JSON answers \(call.description)")
            if let value { calls.learn(value) }
          case .failure(let error):
            refused += 1
            #expect(Self.isClear(error, call), "\(error) answers \(call.description)")
          }
        }
      }
      try await services.work()
      await services.end()
    }
    print("fuzz: services: \(answered) answered, \(refused) refused, ok")
    #expect(answered > steps / 10 && refused > steps / 10)
  }

  /// Whether a person can find out from the message what is wrong.
  private static func isClear(_ error: WorkerError, _ call: ServiceCall) -> Bool {
    let message = error.description
    // No text of the module's is repeated at any length.
    guard !message.isEmpty, message.utf8.count < 8192 else { return false }
    guard error.code == .invalidArgument, let changed = call.changed else { return true }
    // Either the member, the method, or the value as something that isn't there.
    return message.contains(changed) || message.contains(call.method)
      || message.hasPrefix("There is no ")
  }
}

/// The services of a host over databases of their own, as a worker's link calls them.
private final class FuzzedServices: Sendable {
  struct Silent: Error {}

  private let state: StateFixture
  private let tasks: TaskFixture
  private let services: WorkerServices
  private let loop: EventLoop
  private let caller: ServiceCaller
  /// One that was never told to start.
  private let other = ServiceCaller("q", module: "m")

  init() async throws {
    state = try await StateFixture()
    tasks = try await TaskFixture()
    loop = try EventLoop(name: "fuzz")
    caller = state.caller()
    services = WorkerServices(
      events: EventBus(now: { Timestamp.now() }), positions: SubscriptionPositions(),
      byMethod: [
        "state/1": state.service, "tasks/1": tasks.service, "metrics/1": ModuleMetrics(),
      ], log: { _ in }, sandboxReached: { _, _ in }, ended: { _, _ in })
    try services.events.publish(
      (0..<20).map { ["type": "tick", "n": JSONValue($0)] }, source: "p")
  }

  func end() async {
    services.ended(caller)
    await state.end()
    await tasks.end()
  }

  /// The answers of calls that are made at once, in the calls' order.
  func results(of calls: [ServiceCall]) async -> [Result<[UInt8], WorkerError>] {
    await withTaskGroup(of: (Int, Result<[UInt8], WorkerError>).self) { group in
      for (index, call) in calls.enumerated() {
        group.addTask { [self] in (index, await result(of: call, from: index == 0 ? other : caller))
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// What every module may expect still works.
  func work() async throws {
    _ = try await state.write("after", "1", from: caller).get()
    #expect(try await tasks.call("list_task_types", from: caller)["types"] != nil)
  }

  private func result(
    of call: ServiceCall, from caller: ServiceCaller
  ) async -> Result<[UInt8], WorkerError> {
    let answer = FirstAnswer<Result<[UInt8], WorkerError>>()
    // Nothing here waits for anything, so that much time is a hang.
    let timer = loop.schedule(after: .seconds(240)) {
      Issue.record("no answer to \(call.description)")
      answer.give(.failure(WorkerError(.deadlineExceeded, "no answer")))
    }
    defer { loop.cancel(timer) }
    if call.service == "events/1" {
      do {
        return .success(try await RecentEvents.answer(call.input, from: services.events))
      } catch {
        return .failure(WorkerError(.invalidArgument, "\(error)"))
      }
    }
    services.call(call.service, method: call.method, input: call.input, from: caller) {
      answer.give($0)
    }
    return await answer.value
  }
}
