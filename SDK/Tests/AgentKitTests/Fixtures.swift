import AgentKit
import Synchronization

struct NoSettings: Decodable, Sendable {}

/// Publishes numbers, waiting for each.
struct Counter: Datasource {
  struct Settings: Decodable, Sendable {
    var to: Int

    init(from decoder: any Decoder) throws {
      to = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .to)
      if to == 13 { throw ModuleError(.invalidSettings, "13 brings bad luck.") }
    }

    enum CodingKeys: String, CodingKey { case to }
  }

  static let name = "counter"
  let settings: Settings
  let host: AgentHost

  init(settings: Settings, host: AgentHost) throws {
    if settings.to < 0 { throw ModuleError(.invalidSettings, "Count upwards.") }
    self.settings = settings
    self.host = host
  }

  func run() async throws {
    for number in 0..<settings.to {
      try await host.events.publish(Event("count", fields: ["n": JSONValue(number)]))
    }
  }
}

/// Counts what it does, and says how it does.
struct Measured: Datasource {
  static let name = "measured"
  let host: AgentHost

  init(settings: NoSettings, host: AgentHost) { self.host = host }

  func run() async throws {
    host.metrics.counter("runs_total").add()
    host.metrics.gauge("depth", labels: ["side": "left"]).set(2)
    try await Task.sleep(for: .seconds(3600))
  }
}

/// Says how many events each batch had, until the subscription ends.
struct Watcher: Monitor {
  static let name = "watcher"
  let host: AgentHost

  init(settings: NoSettings, host: AgentHost) { self.host = host }

  func run() async throws {
    let batches = try host.events.subscribe("count", window: .seconds(60), capacity: 5)
    for try await batch in batches {
      host.log(.info, "\(batch.events.count) events, \(batch.dropped) dropped")
    }
    host.log(.info, "closed")
  }
}

/// Answers greetings; a second function answers them backwards.
struct Greeter: LogicAdapter, SyncCallable {
  static let name = "greeter"
  let host: AgentHost

  init(settings: NoSettings, host: AgentHost) { self.host = host }

  func respond(to statement: Statement) async throws -> Answer? {
    switch statement.words.first {
    case "hello": return Answer("Hello, \(statement.author ?? "you").", confidence: 0.75)
    case "fail": throw ModuleError(.overloaded, "Too many greetings.")
    case "wait":
      try await Task.sleep(for: .seconds(3600))
      return nil
    default: return nil
    }
  }

  func callSync(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ModuleError) -> Int {
    guard input.count <= output.count else { throw ModuleError(.invalidArgument, "Too long.") }
    output.copyBytes(from: input.reversed())
    return input.count
  }
}

/// Adds, with parts.
struct Adder: Action {
  struct Input: Decodable, Sendable {
    var terms: [Int]
  }

  static let name = "adder"

  init(settings: NoSettings, host: AgentHost) {}

  func perform(_ input: Input, progress: ActionProgress) async throws -> [String: Int] {
    progress.report(0.5, "adding")
    return ["sum": input.terms.reduce(0, +)]
  }
}

let fixtures = Module("fixtures", version: "1.2.3") {
  Counter.self
  Measured.self
  Watcher.self
  Greeter.self
  Adder.self
}
