internal import AgentDiagnostics
internal import AgentJSON
internal import AgentHost
internal import AgentSettings
internal import AgentSystem
internal import AgentWorkers
internal import ArgumentParser
internal import Glibc
internal import NIOCore
internal import NIOHTTP1

/// Shows and packs the diagnostics of an agent.
struct DiagnosticsVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagnostics",
    abstract: "Show diagnostics of the agent and its machine, or write a support bundle.",
    discussion: """
      If the agent isn't running, only its folder and the machine are examined. Values that are \
      known to be secret are replaced.

      Example: agent diagnostics
      """,
    subcommands: [Show.self, Bundle.self], defaultSubcommand: Show.self)

  /// Prints the diagnostics.
  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print versions, kernel, database, queues, workers, queries.",
      discussion: """
        Prints a summary; --json prints everything.

        Example: agent diagnostics show --integrity
        """)
    @OptionGroup var common: CommonOptions
    @Flag(help: "Also check the whole database, which reads all of it.") var integrity = false

    func run() async throws {
      let report =
        if let host = try common.host() {
          try await host.request(
            .GET, "diagnostics?integrity=\(integrity)", timeout: .minutes(10))
        } else {
          await FolderDiagnostics(try common.folder()).report(checking: integrity)
        }
      common.show(report, as: DiagnosticsText.text)
    }
  }

  /// Writes a support bundle.
  struct Bundle: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "bundle",
      abstract: "Write a support bundle: a file with everything needed for a diagnosis.",
      discussion: """
        A .tar.gz with diagnostics, settings, recent logs and crash reports, without values that \
        are known to be secret. Its contents are listed; review them before you share the file. \
        An existing file is never replaced.

        Example: agent diagnostics bundle help-me.tar.gz
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The file to write.") var file: String

    func run() async throws {
      let bytes: [UInt8]
      let contents: [SupportBundle.Entry]
      do {
        bytes = try await fetch()
        contents = try SupportBundle.contents(of: bytes)
      } catch let error as HostError {
        throw Failure(error.message)
      }
      try Files.create(file, with: bytes)
      let value: JSONValue = [
        "file": .string(Files.absolute(file)), "bytes": JSONValue(bytes.count),
        "contents": .array(
          contents.map { ["path": .string($0.path), "bytes": JSONValue($0.size)] }),
      ]
      common.show(value) { _ in
        Terminal.table(contents.map { ["\($0.size)", $0.path] }) + "\n\(file) is written: "
          + "\(bytes.count) bytes. Review it before you share it."
      }
    }

    private func fetch() async throws -> [UInt8] {
      if let host = try common.host() {
        return try await host.bytes(.POST, "diagnostics/bundle")
      }
      return try await FolderDiagnostics(try common.folder()).bundle().bytes
    }
  }
}

/// The diagnostics that people need first, as text.
enum DiagnosticsText {
  static func text(_ report: JSONValue) -> String {
    var rows: [[String]] = []
    func add(_ name: String, _ text: String?) { if let text { rows.append([name, text]) } }
    let versions = report["versions"]
    func version(_ key: String) -> String { versions?[key]?.string ?? "?" }
    add("agent", "\(version("agent")), \(swift(version("swift"))), SQLite \(version("sqlite"))")
    add("system", "\(version("distribution")), \(version("kernel")), \(version("c_library"))")
    add("machine", machine(report["machine"]))
    add("health", report["health"].map(health))
    add("host", report["host"].map(uses))
    add("disk", report["disk"]?["free_bytes"]?.int.map { "\(megabytes($0)) free" })
    add("database", report["store"].flatMap(store))
    add("queues", report["queues"].map(queues))
    for process in report["processes"]?.array ?? [] {
      add(process["name"]?.string ?? "?", self.process(process))
    }
    for query in (report["queries"]?["slowest"]?.array ?? []).prefix(3) {
      add("slow query", "\(query["past_ms"]?.int ?? 0) ms  \(query["query"]?.string ?? "")")
    }
    for record in (report["log"]?["recent"]?.array ?? []).suffix(5) {
      add(record["level"]?.string ?? "log", record["message"]?.string)
    }
    return Terminal.table(rows)
  }

  /// Returns `Swift 6.3.1` of `Swift version 6.3.1 (swift-6.3.1-RELEASE)`, of a tag, or of a
  /// sentence with either.
  private static func swift(_ text: String) -> String {
    for mark in ["Swift version ", "swift-"] {
      guard let range = text.firstRange(of: mark) else { continue }
      let version = text[range.upperBound...].prefix { $0.isNumber || $0 == "." }
      if !version.isEmpty { return "Swift \(version)" }
    }
    // The toolchain has no version of its own. The origin of its compiler is left out.
    return String(text.firstRange(of: " (").map { text[..<$0.lowerBound] } ?? text[...])
  }

  private static func machine(_ machine: JSONValue?) -> String? {
    guard let machine, let memory = machine["memory_bytes"]?.int else { return nil }
    let free = machine["memory_available_bytes"]?.int ?? 0
    return "\(machine["processors"]?.int ?? 0) processors, \(megabytes(free)) of "
      + "\(megabytes(memory)) free, load \(machine["load"]?[0]?.double ?? 0)"
  }

  private static func health(_ health: JSONValue) -> String {
    let reason = health["reason"]?.string.map { ": \($0)" } ?? ""
    return "\(health["state"]?.string ?? "?")\(reason)"
  }

  private static func uses(_ usage: JSONValue) -> String {
    let seconds = Int64(clamping: (usage["cpu_seconds"]?.double ?? 0).rounded())
    return "\(megabytes(usage["memory_bytes"]?.int ?? 0)), \(seconds) s of processor time, "
      + "\(usage["descriptors"]?.int ?? 0) descriptors, \(usage["threads"]?.int ?? 0) threads"
  }

  private static func store(_ store: JSONValue) -> String? {
    if let problem = store["problem"]?.string { return problem }
    guard let pages = store["pages"]?.int else { return nil }
    let bytes = Int64(pages).multiplied(Int64(store["page_bytes"]?.int ?? 0))
    let size = megabytes(Int(clamping: bytes))
    let checked = store["integrity"]?.array.map {
      $0.isEmpty ? ", sound" : ", DAMAGED: \($0[0].string ?? "")"
    }
    let commits = store["writer"]?["commits"]?.int.map { ", \($0) commits" }
    return "\(size), \(megabytes(store["log_bytes"]?.int ?? 0)) of recent changes"
      + (commits ?? "") + (checked ?? "")
  }

  private static func queues(_ queues: JSONValue) -> String {
    "\(queues["writes"]?.int ?? 0) writes, \(queues["log_records"]?.int ?? 0) log records, "
      + "\(queues["most_waiting_events"]?.int ?? 0) events wait"
  }

  private static func process(_ process: JSONValue) -> String {
    let state = process["state"]?.string ?? "?"
    guard let usage = process["uses"], usage != .null else {
      return state + (process["reason"]?.string.map { ": \($0)" } ?? "")
    }
    return "\(state), \(uses(usage)), \(process["restarts"]?.int ?? 0) restarts"
  }

  private static func megabytes(_ bytes: Int) -> String {
    if bytes < 1 << 20 { return "\(bytes >> 10) KB" }
    let tenths = bytes / ((1 << 20) / 10)
    return tenths < 1000 ? "\(tenths / 10).\(tenths % 10) MB" : "\(bytes >> 20) MB"
  }
}
