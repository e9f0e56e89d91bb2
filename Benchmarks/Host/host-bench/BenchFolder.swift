import AgentJSON
import BenchSupport
import CProbes
import Glibc

/// The folder of the agent that is measured: run.sh put the modules there and built them.
struct BenchFolder {
  let path: String
  let agent: String
  let page: StartPage

  init(_ path: String, agent: String) throws(BenchError) {
    self.path = path
    self.agent = agent
    page = try StartPage("\(path)/pages/starts")
  }

  var log: String { "\(path)/bench.log" }

  /// Writes settings with `count` processes of one type.
  func configure(_ type: String, count: Int, sandbox: String = "default") throws(BenchError) {
    var processes = JSONObject()
    for slot in 0..<count {
      processes["p\(slot)"] = [
        "type": .string(type), "sandbox": .string(sandbox), "page": .string(page.path),
        "slot": JSONValue(slot),
      ]
    }
    try configure(processes)
    page.clear()
  }

  /// Writes settings with these processes.
  func configure(_ processes: JSONObject) throws(BenchError) {
    try write([
      "enabled_modules": ["bench_swift", "bench_command"],
      "logging": ["level": "warning"],
      "processes": .object(processes),
    ])
  }

  private func write(_ settings: JSONValue) throws(BenchError) {
    guard let file = fopen("\(path)/settings.json", "w") else {
      throw BenchError("\(path)/settings.json can't be written.")
    }
    defer { fclose(file) }
    fputs(settings.text(pretty: true), file)
  }

  /// Starts the host; the caller ends it.
  func start() throws(BenchError) -> RunningHost {
    let before = probe_now()
    return RunningHost(
      program: try Program([agent, "run"], in: path, log: log), startedAt: before, folder: self)
  }
}
