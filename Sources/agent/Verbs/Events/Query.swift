internal import AgentJSON
internal import AgentQueries
internal import ArgumentParser

/// Runs a query over events.
struct QueryVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Run a query over past events, live events, or both.",
    discussion: """
      Prints rows as they come, one JSON object per line. --json prints every message of the \
      query unchanged. --plot draws the numbers over time, one line for each column of \
      numbers and each group. A span that isn't over, such as today, continues live after its \
      past, unless --past is given. docs/queries.md describes the language.

      Example: agent query "alert => count() by source at the end" --span yesterday
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The query.")
  var query: String

  @Option(help: "Time span: \"last 60 seconds\", \"today\", \"since …\", \"from … to …\".")
  var span: String?

  @Flag(help: "Only past events, then end. Without --span, all past events.")
  var past = false

  @Flag(help: "Show the steps first, and the cost of each so far and at the end.")
  var explain = false

  @Flag(help: "Draw a chart: once for past events, repeatedly for live ones.")
  var plot = false

  func validate() throws {
    guard plot, common.json else { return }
    throw ValidationError("--plot and --json exclude each other.")
  }

  func run() async throws {
    // The query is parsed here, so that its mistakes are found without a host.
    let plan: QueryPlan
    do {
      plan = try QueryPlan(Query(parsing: query))
      if let span { _ = try QuerySpan(parsing: span) }
    } catch let error as QueryError {
      throw Failure("\(error)", exit: .usage)
    } catch let error as SpanError {
      throw Failure("\(error)", exit: .usage)
    }
    if explain, !common.json {
      for (number, step) in plan.summary.enumerated() { Terminal.remark("\(number + 1). \(step)") }
    }
    var path = "query?query=\(HostClient.escaped(query))"
    if let span { path += "&span=\(HostClient.escaped(span))" }
    if past { path += "&past" }
    if explain { path += "&statistics" }
    let host = try common.runningHost()
    if plot { return try await PlotScreen(explains: explain).show(host, path) }
    try await host.lines(path) { line in
      if !line.isEmpty { try show(JSONValue(parsing: String(line))) }
      return true
    }
  }

  private func show(_ message: JSONValue) throws {
    if common.json { return Terminal.json(message) }
    switch message["type"]?.string {
    case "event":
      for row in message["events"]?.array ?? [] { Terminal.json(row) }
    case "warning": Terminal.remark("warning: \(message["message"]?.string ?? "")")
    case "statistics" where explain: Self.costs(in: message).forEach(Terminal.remark)
    default: break
    }
  }

  /// Returns the costs of each step of a query as lines.
  static func costs(in message: JSONValue) -> [String] {
    (message["stages"]?.array ?? []).map(cost)
  }

  private static func cost(of stage: JSONValue) -> String {
    func number(_ key: String) -> Int { stage[key]?.int ?? 0 }
    return
      "\(stage["stage"]?.string ?? ""): \(number("rowsIn")) rows in, \(number("rowsOut")) out, "
      + "\(number("groups")) groups, \(number("panes")) panes, about \(number("bytes")) bytes"
  }
}
