internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// Shows pools.
struct BotPools: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pools", abstract: "Show pools and their sizes.",
    discussion: """
      A pool runs as many instances of a process as its tasks need. See bots.pools in the settings.

      Example: agent bot pools
      """)

  @OptionGroup var common: CommonOptions

  func run() async throws {
    common.show(try await common.runningHost().request(.GET, "bot-pools"), as: Self.text)
  }

  private static func text(_ answer: JSONValue) -> String {
    let rows = (answer["pools"]?.array ?? []).map { pool in
      let instances = (pool["instances"]?.array ?? []).map { instance in
        let state = instance["state"]?.string ?? ""
        return (instance["name"]?.string ?? "") + (state == "working" ? "" : " (\(state))")
      }
      return [
        pool["name"]?.string ?? "", "\(pool["min"]?.int ?? 0)…\(pool["max"]?.int ?? 0)",
        "\(instances.count)", "\(pool["queued"]?.int ?? 0)", instances.joined(separator: ", "),
      ]
    }
    guard !rows.isEmpty else { return "No pools." }
    return Terminal.table([["POOL", "BOUNDS", "SIZE", "WAITING", "INSTANCES"]] + rows)
  }
}
