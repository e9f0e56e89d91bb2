internal import AgentAccess
internal import AgentJSON
internal import ArgumentParser

/// The audit log.
struct AuditVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Show who changed what, and check that nobody changed that.",
    discussion: """
      The log is added to and never changed; it is kept as access.audit in the settings says. \
      Both work with the agent that runs, and with the database of one that doesn't.

      Example: agent audit show
      """,
    subcommands: [AuditShow.self, AuditVerify.self], defaultSubcommand: AuditShow.self)
}

/// Shows the latest lines.
struct AuditShow: AsyncParsableCommand {
  private static let page = 1000

  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the latest lines, the newest last.",
    discussion: """
      The options choose: of the lines that fit all of them, the latest. What isn't known to be \
      from a person is from program:TOKEN, or from local:UID, who runs the agent.

      Example: agent audit show -n 20 --since 2d --outcome forbidden
      """)

  @OptionGroup var common: CommonOptions

  @Option(name: [.customShort("n"), .long], help: "How many.")
  var number = 50

  @Option(help: "Only what this one did: person:ada, program:exporter, local:1000.")
  var actor: String?

  @Option(help: "Only this, as the list shows it: stop_process.")
  var action: String?

  @Option(help: "Only what was done to this: the name of a process, of a user, …")
  var target: String?

  @Option(help: "Only what ended so: done, forbidden, refused, …")
  var outcome: String?

  @Option(
    help: "Only from then on: a day (2026-11-22), \"2026-11-22 16:00\", or 90m, 12h, 30d ago.")
  var since: String?

  @Option(help: "Only before then; written alike.")
  var until: String?

  func validate() throws {
    guard number > 0 else { throw ValidationError("-n is a number from 1.") }
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
      "\(option) is a day such as 2026-11-22, a time such as \"2026-11-22 16:00\", or how long ago, "
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
    commandName: "verify", abstract: "Check that no line was changed, removed or put in.",
    discussion: """
      Prints the digest of the last line. Keep it elsewhere and give it as --head the next time: \
      who rewrites all lines after one, or cuts off the end, is found by that alone. \
      Exit codes: 0 every line is as it was written, 1 one isn't.

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
      let head = answer["head"]?.string.map { "\nThe last one's digest: \($0)" } ?? ""
      let cut = answer["cut"]?.int ?? 0
      let before = cut > 0 ? " Before them \(cut) were cut off by their age or number." : ""
      return (lines == 1 ? "1 line is" : "\(lines) lines are") + " as written.\(before)\(head)"
    }
    guard isRight else {
      throw common.json
        ? Failure.alreadySaid
        : Failure("The audit log isn't as it was written. \(answer["reason"]?.string ?? "")")
    }
  }
}
