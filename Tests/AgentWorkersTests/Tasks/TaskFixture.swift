import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentWorkerProtocol

@testable import AgentWorkers
import TestSupport

/// `tasks/1` over an engine and a dispatcher with a database of their own.
final class TaskFixture: Sendable {
  let service: TaskService
  let engine: TaskEngine
  let dispatcher: TaskDispatcher
  let store: SQLiteStore
  private let folder: TestFolder
  private let running: Task<Void, Never>

  /// - Parameter publish: gets the dispatcher's events.
  init(publish: @escaping @Sendable (JSONObject) -> Void = { _ in }) async throws {
    folder = try TestFolder()
    let store = try await SQLiteStore.open(
      SQLiteStoreConfiguration(path: "\(folder.path)/store.db"))
    let engine = TaskEngine(owner: "test", now: { 1_700_000_000_000 }, log: { _, _ in })
    let dispatcher = TaskDispatcher(
      tasks: engine, now: { 1_700_000_000_000 }, log: { _, _ in }, publish: publish)
    var plan = TaskPlan()
    for (name, source) in [
      ("command", "built-in"), ("http", "built-in"), ("paint", "settings"), ("echo", "ticker"),
    ] {
      plan.types[name] = TaskType(name: name, description: "", source: source, executor: nil)
    }
    engine.apply(plan)
    self.store = store
    self.engine = engine
    self.dispatcher = dispatcher
    service = TaskService(tasks: engine, bots: dispatcher)
    running = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { _ = try? await engine.run(store) }
        group.addTask { _ = try? await dispatcher.run(store) }
      }
    }
    let end = ContinuousClock.now + .seconds(240)
    while (try? await dispatcher.systemStats()) == nil, ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  func end() async {
    running.cancel()
    await running.value
    await store.close()
  }

  /// Ends a caller, as the host does when its worker is gone.
  func end(_ caller: ServiceCaller) {
    caller.end()
    service.ended(caller)
  }

  /// Calls and waits.
  func call(
    _ method: String, _ input: JSONValue = [:], from caller: ServiceCaller
  ) async throws(WorkerError) -> JSONValue {
    let result = await withCheckedContinuation { continuation in
      service.call(method, input.bytes(), from: caller) { continuation.resume(returning: $0) }
    }
    let answer = try result.get()
    return (try? JSONValue(parsing: answer)) ?? "not JSON"
  }

  /// Why a call is refused, or nil when it isn't.
  func refusal(
    _ method: String, _ input: JSONValue, from caller: ServiceCaller
  ) async -> WorkerError? {
    do throws(WorkerError) {
      _ = try await call(method, input, from: caller)
      return nil
    } catch {
      return error
    }
  }
}
