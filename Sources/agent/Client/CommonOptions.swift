internal import AgentDiagnostics
internal import AgentJSON
internal import AgentModules
internal import AgentHost
internal import AgentSettings
internal import ArgumentParser

/// The options of every verb.
struct CommonOptions: ParsableArguments {
  @Option(help: "The settings file; by default, settings.json in the current folder.")
  var settings: String?

  @Flag(help: "Print JSON for programs.")
  var json = false

  /// Returns the agent's folder.
  func folder() throws -> AgentFolder {
    do {
      return try AgentFolder.locate(settings: settings)
    } catch {
      throw Failure(error.description)
    }
  }

  /// Returns a client of the running host. Nil means that none runs.
  func host() throws -> HostClient? {
    let folder = try folder()
    guard HostLock.holder(path: folder.lock) != nil else { return nil }
    return HostClient(socket: folder.socket)
  }

  /// Returns a client of the running host. Throws if none runs.
  func runningHost() throws -> HostClient {
    if let host = try host() { return host }
    throw Failure(
      "No agent runs in \(try folder().path). Start it with \"agent start\" or \"agent run\".",
      exit: .notRunning)
  }

  /// Prints an answer as JSON if `--json` is given, otherwise the text that `text` returns.
  /// - Parameter blocks: the texts of the answer that may have several lines.
  func show(
    _ value: JSONValue, keeping blocks: TextBlocks = .none, as text: (JSONValue) -> String
  ) {
    if json { return Terminal.json(value, pretty: true) }
    let lines = text(value.shown(keeping: blocks))
    if !lines.isEmpty { Terminal.print(lines) }
  }
}
