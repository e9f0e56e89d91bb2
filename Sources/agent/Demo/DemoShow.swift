internal import AgentJSON
internal import AgentSystem
internal import AgentText
internal import AgentTasks
internal import NIOHTTP1
internal import Synchronization

/// Runs the demonstration and prints its course.
struct DemoShow {
  let host: HostClient
  let folder: String

  func run() async throws {
    Terminal.print("Five bots:")
    var bots: [BotClient] = []
    var names: [String: String] = [:]
    for body in DemoTeam.bots {
      let bot = try await BotClient.register(.object(body), at: host)
      names[bot.id] = body["name"]?.string
      bots.append(bot)
    }
    Terminal.print(BotTable.text(try await host.bots()))
    let ids = try await create()
    let team = bots
    let work = DemoWork(folder: folder)
    // The bots serve until this stream ends. It ends when all tasks have ended or an error occurs.
    let (over, end) = AsyncStream.makeStream(of: Void.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await withTaskGroup(of: Void.self) { group in
          for bot in team {
            group.addTask {
              await bot.serve(until: { for await _ in over {} }) { attempt, type in
                await work.run(attempt, type: type)
              }
            }
          }
        }
      }
      defer { end.finish() }
      try await watch(ids, names)
    }
    try await results(ids, names)
  }

  // MARK: Eight tasks

  private func create() async throws -> [String] {
    Terminal.print("\nEight tasks, and who could do them:")
    var ids: [String] = []
    for body in DemoTeam.tasks {
      let task = try await host.request(.POST, "tasks", body: .object(body))
      guard let id = task["id"]?.string else { throw Failure("The host gave the task no number.") }
      let candidates = try await host.request(.GET, "tasks/\(id)/candidates")
      let could = (candidates["bots"]?.array ?? []).filter { $0["eligible"]?.bool == true }.map {
        "\($0["name"]?.string ?? "") \($0["score"]?["score"]?.int ?? 0)"
      }
      Terminal.print(
        "  \(id) \(body["name"]?.string ?? "") (\(body["type"]?.string ?? ""), "
          + "\(body["priority"]?.string ?? "")): \(could.joined(separator: ", "))")
      ids.append(id)
    }
    for id in ids { _ = try await host.request(.POST, "tasks/\(id)/execute", body: [:]) }
    return ids
  }

  // MARK: Live

  /// Prints the changes of the tasks until all of them have ended.
  private func watch(_ ids: [String], _ names: [String: String]) async throws {
    Terminal.print("\nWhat happens:")
    var said: [String: String] = [:]
    while true {
      let tasks = try await host.request(.GET, "tasks?limit=100")["tasks"]?.array ?? []
      for id in ids {
        guard let task = tasks.first(where: { $0["id"]?.string == id }) else { continue }
        for line in try await lines(of: task, names) where said[id] != line {
          said[id] = line
          Terminal.print("  \(id) \(VisibleText.line(line))")
        }
      }
      let ended = ["succeeded", "failed", "cancelled", "dead"]
      if tasks.allSatisfy({ ended.contains($0["status"]?.string ?? "") }) { return }
      // The time is short enough to show each step of 600 ms.
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  private func lines(of task: JSONValue, _ names: [String: String]) async throws -> [String] {
    let bot = task["bot"]?.string.flatMap { names[$0] } ?? ""
    switch task["status"]?.string {
    case "assigned": return [try await reason(task, bot)]
    case "running":
      guard let progress = task["progress"] else { return [try await reason(task, bot)] }
      let percent = Int64(clamping: progress["percent"]?.double ?? 0)
      return ["\(bot): \(percent) %, \(progress["message"]?.string ?? "")"]
    case "succeeded": return ["\(bot): done"]
    case "queued", "waiting", nil: return []
    case let status?: return ["\(bot): \(status)"]
    }
  }

  /// Returns the reason of a task's assignment.
  private func reason(_ task: JSONValue, _ bot: String) async throws -> String {
    let given = try await host.request(.GET, "assignments?task=\(task["id"]?.string ?? "")")
    let decision = given["assignments"]?[0]?["decision"]
    return "→ \(bot): \(decision?["reason"]?.string ?? "")"
  }

  // MARK: What came of it

  private func results(_ ids: [String], _ names: [String: String]) async throws {
    Terminal.print("\nResults:")
    var rows = [["ID", "TASK", "BOT", "STATUS", "SECONDS", "RESULT"]]
    for id in ids {
      let task = try await host.request(.GET, "tasks/\(id)")
      let result = task["result"]
      rows.append([
        id, task["name"]?.string ?? "", task["bot"]?.string.flatMap { names[$0] } ?? "",
        task["status"]?.string ?? "", (result?["execution_time"] ?? .null).text(),
        (result?["output"] ?? result?["error"] ?? .null).text(),
      ])
    }
    Terminal.print(Terminal.table(rows))
    Terminal.print("\nStatistics:")
    Terminal.print(BotStats.text(try await host.request(.GET, "/api/taskbot/system/stats")))
  }
}
