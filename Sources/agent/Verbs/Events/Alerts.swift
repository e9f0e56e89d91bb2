internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// Shows, acknowledges and resolves alerts.
struct AlertsVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts", abstract: "Show, acknowledge and resolve alerts.",
    discussion: """
      The rules that open alerts, and their notifiers, are in "notifications" in the settings.

      Example: agent alerts list
      """,
    subcommands: [AlertsList.self, AlertsShow.self, AlertsAck.self, AlertsResolve.self],
    defaultSubcommand: AlertsList.self)
}

/// Shows alerts.
struct AlertsList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show alerts, newest first.",
    discussion: """
      Shows unresolved alerts; with --all, resolved ones too.

      Example: agent alerts list --all
      """)

  @OptionGroup var common: CommonOptions

  @Flag(help: "Also show resolved alerts.")
  var all = false

  @Option(help: "Only alerts in this state: open, acknowledged or resolved.")
  var state: String?

  @Option(help: "Only alerts of this severity: info, warning or critical.")
  var severity: String?

  @Option(help: "Only alerts of this rule.")
  var rule: String?

  @Option(help: "Maximum number of results, 1 to 1000.")
  var limit = 100

  func run() async throws {
    let path = HostClient.path(
      "alerts", ("limit", "\(limit)"), ("state", state), ("severity", severity), ("rule", rule),
      ("current", all || state != nil ? nil : "true"))
    let answer = try await common.runningHost().request(.GET, path)
    common.show(answer, as: Self.table)
  }

  private static func table(_ answer: JSONValue) -> String {
    let rows = (answer["alerts"]?.array ?? []).map { alert in
      [
        "\(alert["id"]?.int ?? 0)", alert["state"]?.string ?? "",
        alert["severity"]?.string ?? "", alert["rule"]?.string ?? "",
        "\(alert["count"]?.int ?? 0)", Terminal.age(alert["opened"]),
        alert["title"]?.string ?? "",
      ]
    }
    guard !rows.isEmpty else { return "No alerts." }
    return Terminal.table(
      [["ID", "STATE", "SEVERITY", "RULE", "COUNT", "AGE", "TITLE"]] + rows)
  }
}

/// Shows one alert.
struct AlertsShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show an alert with its history and deliveries.",
    discussion: "Example: agent alerts show 7")

  @OptionGroup var common: CommonOptions

  @Argument(help: "The alert's number.")
  var id: Int

  func run() async throws {
    common.show(
      try await common.runningHost().request(.GET, "alerts/\(id)"),
      keeping: .under(["text", "event"]), as: Self.text)
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  static func text(_ alert: JSONValue) -> String {
    var lines = [
      "\(alert["title"]?.string ?? "") (\(alert["severity"]?.string ?? ""), "
        + "\(alert["state"]?.string ?? ""), \(times(alert["count"]?.int ?? 0)))"
    ]
    if let text = alert["text"]?.string, !text.isEmpty { lines.append(text) }
    lines.append("\nHistory")
    for step in alert["history"]?.array ?? [] {
      let note = step["note"]?.string ?? ""
      lines.append(
        "  \(Terminal.age(step["timestamp"])) ago  \(step["what"]?.string ?? "") by "
          + "\(step["actor"]?.string ?? "")" + (note.isEmpty ? "" : ": \(note)"))
    }
    lines.append("\nDeliveries")
    lines.append(NotifyDeliveries.table(alert))
    lines.append("\nEvent\n\(alert["event"]?.text(pretty: true) ?? "")")
    return lines.joined(separator: "\n")
  }
}

/// The remark of a person about an alert.
struct AlertWord: ParsableArguments {
  @Argument(help: "The alert's number.")
  var id: Int

  @Option(help: "A note for others.")
  var note: String?

  /// Sends the remark to the host.
  func say(_ verb: String, _ common: CommonOptions, done: String) async throws {
    var body = JSONObject()
    body["note"] = note.map { .string($0) }
    let answer = try await common.runningHost()
      .request(.POST, "alerts/\(id)/\(verb)", body: .object(body))
    common.show(answer) { _ in "The alert \(id) is \(done)." }
  }
}

/// Acknowledges an alert.
struct AlertsAck: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ack", abstract: "Acknowledge an alert; its notifications aren't repeated.",
    discussion: """
      Notifications start again if the severity rises.

      Example: agent alerts ack 7 --note "I am on it"
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var word: AlertWord

  func run() async throws { try await word.say("acknowledge", common, done: "acknowledged") }
}

/// Resolves an alert.
struct AlertsResolve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve", abstract: "Resolve an alert.",
    discussion: """
      Everyone who was notified of the alert is notified of its end.

      Example: agent alerts resolve 7 --note "The disk was replaced"
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var word: AlertWord

  func run() async throws { try await word.say("resolve", common, done: "resolved") }
}
