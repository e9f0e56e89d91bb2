internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// Lists the durable consumers of the log.
struct EventsConsumers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "consumers", abstract: "List durable consumers, and how far behind each is.",
    discussion: """
      Events that a consumer hasn't processed are kept, whatever the retention is.

      Example: agent events consumers
      """)

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let answer = try await common.runningHost().request(.GET, "events/consumers")
    common.show(answer) { answer in
      let rows = (answer["consumers"]?.array ?? []).map { consumer in
        [
          consumer["name"]?.string ?? "", "\(consumer["position"]?.int ?? 0)",
          "\(consumer["behind"]?.int ?? 0)",
        ]
      }
      return rows.isEmpty
        ? "There are no durable consumers."
        : Terminal.table([["CONSUMER", "POSITION", "BEHIND"]] + rows)
    }
  }
}

/// Removes a durable consumer.
struct EventsForget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Delete a durable consumer; events are no longer kept for it.",
    discussion: """
      A new consumer with its name starts afresh.

      Example: agent events forget trades/exporter
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The consumer's name, as agent events consumers shows it.")
  var consumer: String

  func run() async throws {
    let path = "events/consumers/\(HostClient.escaped(consumer))"
    let answer = try await common.runningHost().request(.DELETE, path)
    common.show(answer) { _ in "\(consumer) is deleted." }
  }
}
