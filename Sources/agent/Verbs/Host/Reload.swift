internal import AgentJSON
internal import ArgumentParser
internal import NIOCore
internal import NIOHTTP1

/// Makes the running host read its settings again.
struct Reload: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Apply changed settings and changed modules to the running agent.",
    discussion: """
      Everything is checked first. Only affected processes restart. A process whose \
      new version doesn't get ready keeps its old one.

      Example: agent reload --dry-run
      """)

  @OptionGroup var common: CommonOptions

  @Flag(help: "Only report what would restart, and why.")
  var dryRun = false

  func run() async throws {
    let report = try await common.runningHost().request(
      .POST, "reload?dry_run=\(dryRun)", timeout: .minutes(5))
    common.show(report, keeping: ReloadText.blocks, as: ReloadText.text)
    if ReloadText.hasProblems(report) { throw Failure.alreadySaid }
  }
}

/// The effects of a change of the settings, as text for people.
enum ReloadText {
  /// The keys of texts that may have several lines.
  static let blocks = TextBlocks.under(["problem", "warnings"])

  static func text(_ report: JSONValue) -> String {
    var lines = (report["warnings"]?.array ?? []).compactMap(\.string)
    let changes = report["changes"]?.array ?? []
    let isDryRun = report["dry_run"]?.bool == true
    for change in changes {
      let action = (change["action"]?.string ?? "").replacing("_", with: " ")
      let name = change["process"]?.string ?? "?"
      var line = "\(name): \(isDryRun ? "would " : "")\(action): \(change["reason"]?.string ?? "")"
      if let problem = change["problem"]?.string {
        line += "\n  " + Terminal.styled(problem, .bad)
      }
      lines.append(line)
    }
    if changes.isEmpty { lines.append("Nothing to change.") }
    return lines.joined(separator: "\n")
  }

  static func hasProblems(_ report: JSONValue) -> Bool {
    (report["changes"]?.array ?? []).contains { $0["problem"] != nil }
  }
}
