internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// Shows and publishes events.
struct EventVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events", abstract: "List, follow and publish events.",
    discussion: """
      Example: agent events types
      """,
    subcommands: [
      EventsTail.self, EventsPublish.self, EventsTypes.self, EventsConsumers.self,
      EventsForget.self,
    ])
}

/// Prints new events.
struct EventsTail: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tail", abstract: "Print events as they happen, one JSON object per line.",
    discussion: """
      Example: agent events tail "alert severity:high" --window 600
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "A filter of the query language.")
  var filter = "*"

  @Option(help: "First print the events of this many past seconds.")
  var window: Int?

  func run() async throws {
    var path = "query?query=\(HostClient.escaped(filter))"
    if let window { path += "&span=\(HostClient.escaped("last \(window) seconds"))" }
    try await common.runningHost().lines(path) { line in
      let message = line.isEmpty ? JSONValue.null : try JSONValue(parsing: String(line))
      for event in message["events"]?.array ?? [] { Terminal.json(event) }
      return true
    }
  }
}

/// Publishes events.
struct EventsPublish: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish", abstract: "Publish events; returns when they are durable.",
    discussion: """
      With -, events are read from standard input, one JSON object per line, and stored as \
      they arrive. The first invalid line ends the command; the message names it, and says how \
      many events before it were stored.

      Example: agent events publish '{"type": "deploy", "version": "1.2"}'
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "An event as JSON, or - for standard input.")
  var event: String

  func run() async throws {
    let host = try common.runningHost()
    let answer: JSONValue
    if event == "-" {
      answer = try await host.upload(
        StandardInput.Pieces(), as: "application/x-ndjson", to: "events")
    } else {
      answer = try await host.request(.POST, "events", body: try Self.parsed(event))
    }
    let count = answer["accepted"]?.int ?? 0
    common.show(["accepted": JSONValue(count)]) { _ in
      count == 1 ? "1 event was stored." : "\(count) events were stored."
    }
  }

  private static func parsed(_ text: String) throws -> JSONValue {
    do {
      return try JSONValue(parsing: text)
    } catch {
      throw Failure("This isn't JSON: \(error)", exit: .usage)
    }
  }
}

/// Lists the types of events in the log.
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
