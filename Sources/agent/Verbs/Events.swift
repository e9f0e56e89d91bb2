internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// Looks at events and publishes some.
struct EventVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events", abstract: "Look at events, publish some.",
    discussion: """
      Example: agent events types
      """,
    subcommands: [EventsTail.self, EventsPublish.self, EventsTypes.self])
}

/// Prints events as they happen.
struct EventsTail: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tail", abstract: "Print events as they happen, one JSON object a line.",
    discussion: """
      Example: agent events tail "alert severity:high" --window 600
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "Which events: a filter of the query language.")
  var filter = "*"

  @Option(help: "First the events of the last so many seconds.")
  var window: Int?

  func run() async throws {
    var path = "query?query=\(Management.escaped(filter))"
    if let window { path += "&span=\(Management.escaped("last \(window) seconds"))" }
    try await common.runningHost().lines(path) { line in
      let message = line.isEmpty ? JSONValue.null : try JSONValue(parsing: String(line))
      for event in message["events"]?.array ?? [] { Terminal.write(event.text() + "\n") }
      return true
    }
  }
}

/// Publishes events.
struct EventsPublish: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish", abstract: "Publish events; returns when they are durable.",
    discussion: """
      With - the events are read from standard input, one JSON object a line.

      Example: agent events publish '{"type": "deploy", "version": "1.2"}'
      """)

  /// How many lines go into one request.
  private static let batch = 500

  @OptionGroup var common: CommonOptions

  @Argument(help: "An event as JSON, or - for standard input.")
  var event: String

  func run() async throws {
    let host = try common.runningHost()
    guard event == "-" else {
      let count = try await send([try Self.parsed(event[...], line: nil)], to: host)
      return common.show(["accepted": JSONValue(count)]) { _ in "1 event was stored." }
    }
    var (rest, line, accepted) = ([UInt8](), 0, 0)
    var waiting: [JSONValue] = []
    func take(_ bytes: ArraySlice<UInt8>) throws {
      line += 1
      let text = String(decoding: bytes, as: UTF8.self)
      if text.allSatisfy(\.isWhitespace) { return }
      waiting.append(try Self.parsed(text[...], line: line))
    }
    while let more = StandardInput.next() {
      rest += more
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        try take(rest[..<end])
        rest.removeSubrange(...end)
      }
      while waiting.count >= Self.batch {
        accepted += try await send(Array(waiting.prefix(Self.batch)), to: host)
        waiting.removeFirst(Self.batch)
      }
    }
    if !rest.isEmpty { try take(rest[...]) }
    if !waiting.isEmpty { accepted += try await send(waiting, to: host) }
    let total = accepted
    common.show(["accepted": JSONValue(total)]) { _ in "\(total) events were stored." }
  }

  private func send(_ events: [JSONValue], to host: Management) async throws -> Int {
    let answer = try await host.request(.POST, "events", body: .array(events))
    return answer["accepted"]?.int ?? 0
  }

  private static func parsed(_ text: Substring, line: Int?) throws -> JSONValue {
    do {
      return try JSONValue(parsing: String(text))
    } catch {
      throw Failure("\(line.map { "line \($0): " } ?? "")this isn't JSON: \(error)", exit: .usage)
    }
  }
}

/// Lists what the log holds.
struct EventsTypes: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "types", abstract: "List the types of events in the log.",
    discussion: """
      Example: agent events types
      """)

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let answer = try await common.runningHost().request(.GET, "events/types")
    common.show(answer) { answer in
      let rows = (answer["types"]?.array ?? []).map { type in
        [type["type"]?.string ?? "", "\(type["count"]?.int ?? 0)", "\(type["bytes"]?.int ?? 0)"]
      }
      return rows.isEmpty
        ? "The log is empty." : Terminal.table([["TYPE", "EVENTS", "BYTES"]] + rows)
    }
  }
}
