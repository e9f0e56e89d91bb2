import AgentJSON
import AgentQueries
import Synchronization
import TestSupport
import Testing

@testable import AgentEvents

/// What all queries of a host hold together has one limit.
@Suite(.timeLimit(.minutes(5))) struct QueryMemoryTests {
  private static let kilobyte = 1 << 10

  /// Notes which queries were ended, by name.
  private final class Ends: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock(\.self) }
    func add(_ name: String) { names.withLock { $0.append(name) } }
  }

  @Test func `the owner that holds the most loses its largest query`() {
    let memory = QueryMemory(limit: 1_000 * Self.kilobyte)
    let ends = Ends()
    // One large query of somebody who has no other.
    let large = memory.open(.process("analysis")) { _ in ends.add("large") }
    #expect(large.holds(400 * Self.kilobyte) == nil)
    var small: [HeldQuery] = []
    for name in ["one", "two", "three", "four"] {
      small.append(memory.open(.client("program:x")) { _ in ends.add(name) })
    }
    for (query, size) in zip(small, [140, 200, 150, 100]) {
      #expect(query.holds(size * Self.kilobyte) == nil)
    }
    #expect(ends.all.isEmpty && memory.bytes == 990 * Self.kilobyte)
    #expect(small[0].holds(170 * Self.kilobyte) == nil)
    #expect(ends.all == ["two"])
    // It counts until it has gone, but nobody else has to go for it.
    #expect(memory.bytes == 1_020 * Self.kilobyte)
    #expect(small[2].holds(160 * Self.kilobyte) == nil)
    #expect(ends.all == ["two"])
    small[1].close()
    #expect(memory.bytes == 830 * Self.kilobyte)
    withExtendedLifetime(large) {}
  }

  @Test func `a query that grows too much ends itself with a sentence`() throws {
    let memory = QueryMemory(limit: 1_000 * Self.kilobyte)
    let ends = Ends()
    let query = memory.open(.process("hoarder")) { _ in ends.add("hoarder") }
    let reason = try #require(query.holds(1_001 * Self.kilobyte))
    #expect(reason.contains("the process hoarder") && reason.contains("1024000 bytes"))
    #expect(ends.all.isEmpty)
  }

  @Test func `rules end last, and many queries that hold little count too`() {
    let memory = QueryMemory(limit: 20 * QueryMemory.leastBytes)
    let ends = Ends()
    let rule = memory.open(.host) { _ in ends.add("rule") }
    #expect(rule.holds(15 * QueryMemory.leastBytes) == nil)
    let queries = (0..<6).map { n in memory.open(.client("c")) { _ in ends.add("\(n)") } }
    #expect(ends.all == ["5"])
    for query in queries { query.close() }
    #expect(memory.bytes == 15 * QueryMemory.leastBytes)
    withExtendedLifetime(rule) {}
  }

  /// A bus whose queries have a limit together, with events of 100,000 bytes that are past.
  private func bus(limit: Int, events count: Int) async throws -> EventBus {
    let clock = Moment(1_000)
    let bus = EventBus(queries: .shared, memory: limit, now: { clock.now })
    let text = JSONValue.string(String(repeating: "x", count: 100_000))
    for n in 0..<count {
      _ = try await bus.store([["type": "n", "n": JSONValue(n), "text": text]], source: "s")
    }
    clock.now += 1_000
    return bus
  }

  private func messages(of outputs: QueryOutputs) async throws -> [QueryMessage] {
    var found: [QueryMessage] = []
    while let element = try await outputs.next() {
      if case .message(let message) = element { found.append(message) }
    }
    return found
  }

  @Test func `a query beyond the limit of all queries ends with a warning`() async throws {
    let bus = try await bus(limit: 2 << 20, events: 30)
    let outputs = bus.outputs(
      of: try QueryPlan(Query(parsing: "n => list(text) as l at the end")),
      span: try QuerySpan(parsing: "since ts 0"), owner: .client("program:x"))
    let found = try await messages(of: outputs)
    let warning = found.compactMap { if case .warning(let text) = $0 { text } else { nil } }.last
    #expect(warning?.contains("All queries of this agent together") == true)
    #expect(found.contains(.stop(reason: .limit)) && found.last == .destroy)
    try await wait(while: bus.memory.bytes > 0)
  }

  @Test func `the reason of a query's end is read although its work ends, too`() async throws {
    let outputs = QueryOutputs()
    outputs.end(because: "All queries hold too much.")
    outputs.finish(nil)
    #expect(
      try await messages(of: outputs) == [
        .warning("All queries hold too much."), .stop(reason: .limit), .destroy,
      ])
  }

  @Test func `rows that nobody takes count, and give way`() async throws {
    let bus = try await bus(limit: 4 << 20, events: 10)
    let hoarder = bus.outputs(
      of: try QueryPlan(Query(parsing: "n => last(text) as t by n at the end")),
      span: try QuerySpan(parsing: "from ts 0 to ts 1500"), owner: .process("hoarder"))
    // Its start and its span. All rows are one output of a moment, which its reader doesn't take.
    for _ in 0..<2 { _ = try await hoarder.next() }
    try await wait(while: bus.memory.bytes < 1_000_000)
    // They fit without it, whichever of its rows it holds by now, but not with it.
    let others = (0..<4).map { bus.memory.open(.client("\($0)")) { _ in } }
    for other in others { #expect(other.holds(900_000) == nil) }
    let rest = try await messages(of: hoarder)
    #expect(rest.count == 3 && rest.last == .destroy)
    withExtendedLifetime(others) {}
  }
}
