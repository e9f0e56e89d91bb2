internal import AgentJSON
internal import ArgumentParser

/// Shows and changes the state of processes.
struct StateVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state", abstract: "Show and change the state that processes keep over restarts.",
    discussion: """
      Works whether or not the agent runs. A process sees \
      a change when it reads the next time.

      Example: agent state show
      """,
    subcommands: [
      StateShow.self, StateEdit.self, StateExport.self, StateImport.self, StateForget.self,
    ])
}

/// Shows owners, keys, a value, or its history.
struct StateShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the owners of state, their keys, or one value.",
    discussion: """
      The value of a key is printed as JSON and nothing else.

      Example: agent state show machine
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The process, or module:NAME for a module's service worker.")
  var owner: String?

  @Argument(help: "The key.")
  var key: String?

  @Flag(help: "Show the key's earlier values, latest first.")
  var history = false

  @Option(help: "Only keys with this prefix.")
  var prefix = ""

  @Option(help: "Maximum number of keys, 1 to 1000.")
  var limit = 200

  func validate() throws {
    if history, key == nil { throw ValidationError("--history needs a process and a key.") }
  }

  func run() async throws {
    let source = StateSource(common: common)
    guard let owner else {
      return common.show(try await source.owners(), as: Self.owners)
    }
    guard let key else {
      let page = try await source.list(owner, prefix: prefix, after: nil, limit: limit)
      return common.show(page, keeping: .under(["value"])) { Self.list($0, of: owner) }
    }
    if history {
      return common.show(
        try await source.history(owner, key), keeping: .under(["value"]), as: Self.versions)
    }
    common.show(try await source.entry(owner, key), keeping: .all) {
      $0["value"]?.text(pretty: true) ?? ""
    }
  }

  private static func owners(_ answer: JSONValue) -> String {
    let rows = (answer["owners"]?.array ?? []).map { owner in
      [
        owner["owner"]?.string ?? "", "\(owner["keys"]?.int ?? 0)",
        "\(owner["bytes"]?.int ?? 0)", "\(owner["version"]?.int ?? 0)",
      ]
    }
    return rows.isEmpty
      ? "No process has state."
      : Terminal.table([["PROCESS", "KEYS", "BYTES", "VERSION"]] + rows)
  }

  private static func list(_ page: JSONValue, of owner: String) -> String {
    let entries = page["entries"]?.array ?? []
    guard !entries.isEmpty else { return "\(owner) has no such state." }
    let rows = entries.map { entry in
      [
        entry["key"]?.string ?? "", "\(entry["version"]?.int ?? 0)", Terminal.age(entry["updated"]),
        preview(entry["value"] ?? .null),
      ]
    }
    let table = Terminal.table([["KEY", "VERSION", "AGE", "VALUE"]] + rows)
    return page["truncated"]?.bool == true
      ? table + "\nThere are more. Use --prefix or --limit, or \"agent state export\" for all."
      : table
  }

  private static func versions(_ answer: JSONValue) -> String {
    let rows = (answer["versions"]?.array ?? []).map { version in
      [
        "\(version["version"]?.int ?? 0)", Terminal.age(version["updated"]),
        version["removed"]?.bool == true ? "(removed)" : preview(version["value"] ?? .null),
      ]
    }
    return Terminal.table([["VERSION", "AGE", "VALUE"]] + rows)
  }

  private static func preview(_ value: JSONValue) -> String {
    let text = value.text()
    return text.count > 60 ? text.prefix(60) + "…" : text
  }
}
