internal import AgentAccess
internal import AgentJSON
internal import ArgumentParser

/// The audit log.
struct AuditVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Show the audit log, and check that nobody altered it.",
    discussion: """
      Lines are added and never changed. access.audit in the settings sets how long they are kept. \
      Both work whether or not the agent runs.

      Example: agent audit show
      """,
    subcommands: [AuditShow.self, AuditVerify.self], defaultSubcommand: AuditShow.self)
}

/// Shows the latest lines.
struct AuditShow: AsyncParsableCommand {
  private static let page = 1000

  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the latest lines, newest last.",
    discussion: """
      Shows the latest lines that match all options. The actor is person:NAME for a person, \
      program:TOKEN for a program, or local:UID for the user who runs the agent.

      Example: agent audit show -n 20 --since 2d --outcome forbidden
      """)

  @OptionGroup var common: CommonOptions

  @Option(name: [.customShort("n"), .long], help: "Number of lines.")
  var number = 50

  @Option(help: "Only actions of this actor: person:ada, program:exporter, local:1000.")
  var actor: String?

  @Option(help: "Only this action, as the list shows it: stop_process.")
  var action: String?

  @Option(help: "Only actions on this target: the name of a process, of a user, …")
  var target: String?

  @Option(help: "Only this outcome: done, forbidden, refused, …")
  var outcome: String?

  @Option(
    help: "Only from this time on: a day (2026-11-22), \"2026-11-22 16:00\", or 90m, 12h, 30d ago.")
  var since: String?

  @Option(help: "Only before this time; same format.")
  var until: String?

  func validate() throws {
    guard number > 0 else { throw ValidationError("-n must be 1 or more.") }
  }

  func run() async throws {
    var entries: [JSONValue] = []
    var filter = try filter()
    repeat {
      let limit = min(Self.page, number - entries.count)
      let answer = try await AccessSource(common: common).audit(filter, limit: limit)
      entries += answer["entries"]?.array ?? []
      filter.before = answer["next"]?.int.map { Int64($0) }
    } while filter.before != nil && entries.count < number
    common.show(["entries": .array(entries)]) { _ in
      Terminal.table(
        [["LINE", "WHEN", "WHO", "FROM", "WHAT", "OUTCOME"]] + entries.reversed().map(Self.row))
    }
  }

  private func filter() throws -> AuditFilter {
    var filter = AuditFilter()
    (filter.actor, filter.action) = (actor, action)
    (filter.target, filter.outcome) = (target, outcome)
    filter.since = try since.map { try Self.moment($0, "--since") }
    filter.until = try until.map { try Self.moment($0, "--until") }
    return filter
  }

  private static func moment(_ text: String, _ option: String) throws -> Int64 {
    if let moment = Moment.named(text) { return moment }
    throw Failure(
      "\(option) must be a day such as 2026-11-22, a time such as \"2026-11-22 16:00\", or an age "
        + "such as 90m, 12h or 30d; found \"\(text)\".", exit: .usage)
  }

  private static func row(_ entry: JSONValue) -> [String] {
    func text(_ key: String) -> String { entry[key]?.string ?? "" }
    return [
      "\(entry["number"]?.int ?? 0)", Moment.minute(entry["timestamp"]), text("actor"),
      text("address"), "\(text("action")) \(text("target"))", text("outcome"),
    ]
  }
}

/// Checks every line.
struct AuditVerify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check that no line was changed, removed or inserted.",
    discussion: """
      Prints the digest of the last line. Store it elsewhere and pass it as --head the next time: \
      only that reveals a rewrite of all lines after one, or a removed end. \
      Exit codes: 0 no line was altered, 1 a line was altered.

      Example: agent audit verify
      """)

  @OptionGroup var common: CommonOptions

  @Option(help: "The digest that an earlier check printed.")
  var head: String?

  func run() async throws {
    let answer = try await AccessSource(common: common).verifyAudit(head: head)
    let isRight = answer["ok"]?.bool == true
    let lines = answer["lines"]?.int ?? 0
    common.show(answer) { answer in
      guard isRight else { return "" }
      let head = answer["head"]?.string.map { "\nDigest of the last line: \($0)" } ?? ""
      let cut = answer["cut"]?.int ?? 0
      let before =
        cut > 0 ? " \(cut) earlier lines were removed because of their age or number." : ""
      return (lines == 1 ? "1 line is" : "\(lines) lines are") + " unaltered.\(before)\(head)"
    }
    guard isRight else {
      throw common.json
        ? Failure.alreadySaid
        : Failure("The audit log was altered. \(answer["reason"]?.string ?? "")")
    }
  }
}
