internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import AgentSystem
internal import AgentTasks
internal import ArgumentParser
internal import Glibc
internal import NIOHTTP1

/// Demonstrations of the agent, each in a folder of its own.
struct DemoVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Show what an agent does, in a new folder.",
    discussion: "Example: agent demo taskbot",
    subcommands: [DemoTaskBot.self])
}

/// TaskBot's demonstration with five bots and eight tasks.
struct DemoTaskBot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "taskbot",
    abstract: "Assign eight tasks to five bots; show the reasons and the results.",
    discussion: """
      Starts an agent in a new folder and stops it at the end. With --keep the folder stays.

      Example: agent demo taskbot
      """)

  @Flag(help: "Keep the folder.")
  var keep = false

  func run() async throws {
    let place = try DemoPlace()
    defer { if !keep { place.remove() } }
    let spawned = try Daemon.spawn(settings: place.settings, folder: place.folder)
    do {
      _ = try await Daemon.awaitReady(spawned, folder: place.folder)
      try await DemoShow(
        host: HostClient(socket: place.folder.socket), folder: place.folder.path
      ).run()
    } catch {
      _ = try? await Daemon.stop(folder: place.folder)
      throw error
    }
    _ = try await Daemon.stop(folder: place.folder)
    if keep { Terminal.print("\nThe agent's folder is \(place.folder.path).") }
  }
}

/// A folder for a demonstration.
struct DemoPlace {
  let folder: AgentFolder

  var settings: String { "\(folder.path)/settings.json" }

  init() throws {
    let parent = Environment.all["TMPDIR"] ?? "/tmp"
    var template = Array("\(parent)/agent-demo.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure("No folder can be created in \(parent): \(SystemError.text(errno)).")
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let types = DemoTeam.types.reduce(into: JSONObject()) { $0[$1] = ["executor": "bots"] }
    let settings: JSONValue = [
      "agent": ["name": "demo"], "http": ["enabled": false], "tasks": ["types": .object(types)],
    ]
    try Files.create("\(path)/settings.json", with: Array(settings.text(pretty: true).utf8))
    do {
      folder = try AgentFolder.locate(settings: "\(path)/settings.json")
    } catch {
      throw Failure(error.description)
    }
  }

  /// Removes the folder and its contents.
  func remove() { _ = Files.removeFolder(folder.path) }
}
