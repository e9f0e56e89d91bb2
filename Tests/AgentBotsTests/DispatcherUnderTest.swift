import AgentAssignment
import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import Synchronization
import TestSupport

/// A dispatcher beside an engine, on its database and its clock.
final class DispatcherUnderTest: Sendable {
  let engine: EngineUnderTest
  let dispatcher: TaskDispatcher
  private let events: PublishedEvents
  private let lines: LoggedLines
  private let running: Task<Void, any Error>

  private init(
    engine: EngineUnderTest, dispatcher: TaskDispatcher, events: PublishedEvents,
    lines: LoggedLines, running: Task<Void, any Error>
  ) {
    self.engine = engine
    self.dispatcher = dispatcher
    self.events = events
    self.lines = lines
    self.running = running
  }

  /// - Parameter former: whose database it goes on with.
  static func started(
    after former: DispatcherUnderTest? = nil, _ change: (inout BotPlan) -> Void = { _ in }
  ) async throws -> DispatcherUnderTest {
    let engine = try await EngineUnderTest.started(
      owner: former == nil ? "first" : "second", after: former?.engine)
    let (clock, events) = (engine.clock, PublishedEvents())
    let lines = LoggedLines()
    let dispatcher = TaskDispatcher(
      tasks: engine.engine, pause: { try await clock.pause($0) }, now: { clock.now },
      steady: { clock.steady }, log: { _, line in lines.append(line) },
      publish: { events.append($0) })
    var plan = BotPlan()
    change(&plan)
    dispatcher.apply(plan)
    let store = engine.front
    let running = Task { try await dispatcher.run(store) }
    let test = DispatcherUnderTest(
      engine: engine, dispatcher: dispatcher, events: events, lines: lines, running: running)
    try await wait(while: (try? await dispatcher.systemStats()) == nil)
    return test
  }

  func stop() async {
    running.cancel()
    _ = try? await running.value
    await engine.stop()
  }

  func remove() async {
    await stop()
    await engine.remove()
  }

  /// Registers a bot for a type of task.
  @discardableResult
  func register(
    _ id: String, for types: [String] = ["bots"], most: Int = 1, boost: Int = 0,
    type: BotType = .worker
  ) async throws -> String {
    let capabilities =
      types.isEmpty
      ? [] : [BotCapability(name: "c", taskTypes: types, priorityBoost: boost)]
    _ = try await dispatcher.register(
      BotDefinition(
        name: id, type: type, capabilities: capabilities, maxConcurrentTasks: most), id: id,
      by: "test")
    return id
  }

  /// The next offer to a bot.
  /// - Parameter step: how far the clock goes each time that there is none yet.
  func offer(to bot: String, step: Int64 = 0) async throws -> AssignmentRow {
    while true {
      if step > 0 { engine.clock.advance(step) }
      let rows = try await dispatcher.assignments(AssignmentSelection(states: [.pending], bot: bot))
      if let row = rows.last { return row }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// The events of a type up to now; waits until there are `count`.
  func publishedEvents(_ type: String, _ count: Int = 1, step: Int64 = 0) async throws
    -> [JSONObject]
  {
    while true {
      if step > 0 { engine.clock.advance(step) }
      let found = events.all.filter { $0["type"]?.string == type }
      if found.count >= count { return found }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// How many events of a type were published.
  func count(_ type: String) -> Int { events.all.count { $0["type"]?.string == type } }

  /// How many logged lines contain a text.
  func countOfLines(with text: String) -> Int { lines.all.count { $0.contains(text) } }
}

/// The logged lines.
final class LoggedLines: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func append(_ line: String) { lines.withLock { $0.append(line) } }
}

/// The published events.
final class PublishedEvents: Sendable {
  private let events = Mutex<[JSONObject]>([])
  var all: [JSONObject] { events.withLock { $0 } }
  func append(_ event: JSONObject) { events.withLock { $0.append(event) } }
}
