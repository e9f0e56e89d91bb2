internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1

/// Reads and edits the settings, through a running host or in the file.
extension SettingsEdit {
  /// Makes the change and prints its effects.
  static func apply(_ edit: SettingsEdit, _ common: CommonOptions) async throws {
    if let host = try common.host() {
      let request = edit.request
      let report = try await host.request(
        request.method, request.path, body: request.body, timeout: .minutes(5))
      common.show(report, keeping: ReloadText.blocks, as: ReloadText.text)
      if ReloadText.hasProblems(report) { throw Failure.alreadySaid }
      return
    }
    let folder = try common.folder()
    do {
      let document = try edit.apply(to: folder)
      let result = SettingsFile.check(document, in: folder)
      guard result.settings != nil else {
        for problem in result.problems { Terminal.remark(problem.description) }
        throw Failure("The settings would be invalid; nothing was changed.")
      }
      try folder.writeSettings(document)
    } catch let problem as Problem {
      throw Failure(problem.description, exit: problem.code == "not_found" ? .notFound : .failure)
    }
    common.show(["changed": .string(folder.settingsName)]) { _ in
      "\(folder.settingsName) is changed; the change takes effect when the agent starts."
    }
  }

  /// Returns the present settings. Missing variables are no error.
  static func load(_ common: CommonOptions) throws -> AgentSettings {
    let result = SettingsFile.load(try common.folder())
    if let settings = result.settings { return settings }
    for problem in result.problems { Terminal.remark(problem.description) }
    throw Failure("The settings are wrong.")
  }

  /// The change as a request to a running host.
  private var request: Request {
    switch self {
    case .enableProcess(let name): .act("processes", name: name, verb: "enable")
    case .disableProcess(let name): .act("processes", name: name, verb: "disable")
    case .enableModule(let name): .act("modules", name: name, verb: "enable")
    case .disableModule(let name): .act("modules", name: name, verb: "disable")
    case .merge(let patch): Request(method: .PATCH, path: "settings", body: .object(patch))
    case .removeProcess(let name):
      Request(method: .DELETE, path: "processes/\(HostClient.escaped(name))")
    case .addProcess(let name, let type):
      Request(
        method: .POST, path: "processes", body: ["name": .string(name), "type": .string(type)])
    }
  }
}

private struct Request {
  let method: HTTPMethod
  let path: String
  var body: JSONValue?

  static func act(_ kind: String, name: String, verb: String) -> Request {
    Request(method: .POST, path: "\(kind)/\(HostClient.escaped(name))/\(verb)")
  }
}
