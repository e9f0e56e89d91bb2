internal import AgentJSON
internal import ArgumentParser

/// The audit log.
struct AuditVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Show who changed what, and check that nobody changed that.",
    discussion: """
      The log is added to and never changed; it is kept for ever. Both work with the agent that \
      runs, and with the database of one that doesn't.

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
      Example: agent audit show -n 20
      """)

  @OptionGroup var common: CommonOptions

  @Option(name: [.customShort("n"), .long], help: "How many.")
  var number = 50

  func validate() throws {
    guard number > 0 else { throw ValidationError("-n is a number from 1.") }
  }

  func run() async throws {
    var entries: [JSONValue] = []
    var before: Int64?
    repeat {
      let limit = min(Self.page, number - entries.count)
      let answer = try await AccessSource(common: common).audit(before: before, limit: limit)
      entries += answer["entries"]?.array ?? []
      before = answer["next"]?.int.map { Int64($0) }
    } while before != nil && entries.count < number
    common.show(["entries": .array(entries)]) { _ in
      Terminal.table(
        [["LINE", "WHEN", "WHO", "FROM", "WHAT", "OUTCOME"]] + entries.reversed().map(Self.row))
    }
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
      return (lines == 1 ? "1 line is" : "\(lines) lines are") + " as written.\(head)"
    }
    guard isRight else {
      throw common.json
        ? Failure.alreadySaid
        : Failure("The audit log isn't as it was written. \(answer["reason"]?.string ?? "")")
    }
  }
}
