internal import AgentJSON
internal import AgentSystem
internal import ArgumentParser
internal import NIOCore
internal import NIOHTTP1

/// The verbs for notifiers and deliveries.
struct NotifyVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify", abstract: "Show notifiers and deliveries.",
    discussion: "Example: agent notify list",
    subcommands: [NotifyList.self, NotifyTest.self, NotifyDeliveries.self, NotifyRetry.self])
}

/// Shows notifiers.
struct NotifyList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show notifiers with their rules and delivery counts.",
    discussion: "Example: agent notify list")

  @OptionGroup var common: CommonOptions

  func run() async throws {
    common.show(try await common.runningHost().request(.GET, "notifiers"), as: Self.table)
  }

  private static func table(_ answer: JSONValue) -> String {
    let rows = (answer["notifiers"]?.array ?? []).map { notifier in
      let done = notifier["deliveries"]?.object ?? [:]
      func count(_ states: String...) -> String {
        "\(states.reduce(Int64(0)) { $0.adding(Int64(done[$1]?.int ?? 0)) })"
      }
      return [
        notifier["name"]?.string ?? "", notifier["type"]?.string ?? "",
        notifier["target"]?.string ?? "", count("delivered"), count("queued", "sending"),
        count("failed"), count("given_up"),
        (notifier["rules"]?.array ?? []).compactMap(\.string).joined(separator: ", "),
      ]
    }
    return Terminal.table(
      [["NAME", "TYPE", "TARGET", "DELIVERED", "QUEUED", "FAILED", "GIVEN UP", "RULES"]] + rows)
  }
}

/// Tries a notifier.
struct NotifyTest: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Send a test to a notifier and report the result.",
    discussion: "Example: agent notify test log")

  @OptionGroup var common: CommonOptions

  @Argument(help: "The notifier.")
  var name: String

  func run() async throws {
    let answer = try await common.runningHost().request(
      .POST, "notifiers/\(HostClient.escaped(name))/test", timeout: .minutes(10))
    guard answer["state"] == "delivered" else {
      if common.json { common.show(answer) { _ in "" } }
      throw Failure("\(name) failed to deliver the test: \(answer["error"]?.string ?? "")")
    }
    common.show(answer) { _ in "\(name) delivered the test." }
  }
}

/// Shows deliveries.
struct NotifyDeliveries: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deliveries", abstract: "Show deliveries.",
    discussion: "Example: agent notify deliveries --state failed")

  @OptionGroup var common: CommonOptions

  @Option(help: "Only deliveries to this notifier.")
  var notifier: String?

  @Option(help: "Only deliveries in this state: queued, sending, delivered, failed or given_up.")
  var state: String?

  @Option(help: "Maximum number of results, 1 to 1000.")
  var limit = 100

  func run() async throws {
    let path = HostClient.path(
      "deliveries", ("limit", "\(limit)"), ("state", state), ("notifier", notifier))
    let answer = try await common.runningHost().request(.GET, path)
    common.show(answer, as: Self.table)
  }

  static func table(_ answer: JSONValue) -> String {
    let rows = (answer["deliveries"]?.array ?? []).map { delivery in
      [
        "\(delivery["id"]?.int ?? 0)", delivery["notifier"]?.string ?? "",
        delivery["kind"]?.string ?? "", delivery["state"]?.string ?? "",
        "\(delivery["attempts"]?.int ?? 0)", Terminal.age(delivery["updated"]),
        delivery["title"]?.string ?? "", delivery["error"]?.string ?? "",
      ]
    }
    guard !rows.isEmpty else { return "No deliveries." }
    return Terminal.table(
      [["ID", "NOTIFIER", "KIND", "STATE", "ATTEMPTS", "AGE", "TITLE", "ERROR"]] + rows)
  }
}

/// Tries a delivery again.
struct NotifyRetry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Retry a delivery now that is queued, has failed, or was given up.",
    discussion: "Example: agent notify retry 12")

  @OptionGroup var common: CommonOptions

  @Argument(help: "The delivery's number.")
  var id: Int

  func run() async throws {
    let answer = try await common.runningHost().request(.POST, "deliveries/\(id)/retry")
    common.show(answer) { _ in "Delivery \(id) is retried now." }
  }
}
