internal import AgentJSON
internal import AgentHost
internal import AgentWorkers
internal import ArgumentParser

/// Changes one value.
struct StateEdit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change, add or remove one value.",
    discussion: """
      Opens $VISUAL or $EDITOR with the value as JSON, unless --value is given. If somebody \
      changed the value meanwhile, or the text isn't JSON, nothing is changed and your text is kept.

      Example: agent state edit machine greeting --value '{"text": "hello"}'
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The process, or module:NAME for a module's service worker.")
  var owner: String

  @Argument(help: "The key; it need not exist yet.")
  var key: String

  @Option(help: "The value as JSON, or - for standard input.")
  var value: String?

  @Flag(help: "Remove the key.")
  var remove = false

  @Option(help: "Only if the key has this version; 0 if it must not exist.")
  var ifVersion: Int?

  func validate() throws {
    if value != nil, remove { throw ValidationError("--value and --remove exclude each other.") }
    if let ifVersion, ifVersion < 0 { throw ValidationError("A version can't be negative.") }
  }

  func run() async throws {
    let source = StateSource(common: common)
    if remove {
      let answer = try await source.remove(owner, key, expected: ifVersion)
      return common.show(answer) { _ in "\(key) of \(owner) is removed." }
    }
    guard let value else { return try await edit(in: source) }
    let bytes = value == "-" ? StandardInput.all() : Array(value.utf8)
    try await set(try Self.parsed(bytes), in: source, expected: ifVersion)
  }

  private func set(_ value: JSONValue, in source: StateSource, expected: Int?) async throws {
    let answer = try await source.set(owner, key, to: value, expected: expected)
    common.show(answer) { "\(key) of \(owner) now has version \($0["version"]?.int ?? 0)." }
  }

  private func edit(in source: StateSource) async throws {
    let editor = try Editor.chosen()
    let (before, version) = try await present(in: source)
    let draft = try Editor.Draft((before ?? .null).text(pretty: true) + "\n", suffix: ".json")
    do {
      try Editor.edit(draft, with: editor)
      let value = try Self.parsed(try draft.read())
      if value == before {
        Terminal.print("Nothing was changed.")
      } else {
        try await set(value, in: source, expected: version)
      }
    } catch let failure as Failure {
      throw Failure(
        failure.message + "\nYour text is kept: agent state edit \(owner) \(key) --value - < "
          + draft.path, exit: failure.exit)
    }
    draft.remove()
  }

  /// Returns the present value, and the version that it must still have when it is written.
  private func present(in source: StateSource) async throws -> (JSONValue?, Int) {
    do {
      let entry = try await source.entry(owner, key)
      let version = entry["version"]?.int ?? 0
      guard ifVersion == nil || ifVersion == version else {
        throw Failure("\(key) of \(owner) has version \(version), not \(ifVersion ?? 0).")
      }
      return (entry["value"], version)
    } catch let failure as Failure where failure.exit == .notFound {
      // This request finds out whether the process is missing, or only the key.
      _ = try await source.list(owner, prefix: "", after: nil, limit: 1)
      guard ifVersion ?? 0 == 0 else { throw failure }
      return (nil, 0)
    }
  }

  private static func parsed(_ bytes: [UInt8]) throws -> JSONValue {
    do {
      return try StateAccess.value(bytes)
    } catch {
      throw Failure(error.message, exit: .usage)
    }
  }
}
