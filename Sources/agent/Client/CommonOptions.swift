internal import AgentDiagnostics
internal import AgentJSON
internal import AgentModules
internal import AgentHost
internal import AgentSettings
internal import ArgumentParser

/// What every verb takes.
struct CommonOptions: ParsableArguments {
  @Option(help: "The settings file; by default, settings.json in the current folder.")
  var settings: String?

  @Flag(help: "Print JSON for programs.")
  var json = false

  /// The agent's folder.
  func folder() throws -> AgentFolder {
    do {
      return try AgentFolder.locate(settings: settings)
    } catch {
      throw Failure(error.description)
    }
  }

  /// The running host, nil when there is none.
  func host() throws -> HostClient? {
    let folder = try folder()
    guard HostLock.holder(path: folder.lock) != nil else { return nil }
    return HostClient(socket: folder.socket)
  }

  /// The running host.
  func runningHost() throws -> HostClient {
    if let host = try host() { return host }
    throw Failure(
      "No agent runs in \(try folder().path). Start it with \"agent start\" or \"agent run\".",
      exit: .notRunning)
  }

  /// Prints an answer: JSON when that was asked for, otherwise what `text` makes of it.
  /// - Parameter blocks: which of its texts may have several lines.
  func show(
    _ value: JSONValue, keeping blocks: TextBlocks = .none, as text: (JSONValue) -> String
  ) {
    if json { return Terminal.json(value, pretty: true) }
    let lines = text(value.shown(keeping: blocks))
    if !lines.isEmpty { Terminal.print(lines) }
  }
}
