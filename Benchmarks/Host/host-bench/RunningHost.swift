import AgentJSON
import BenchSupport
import CProbes
import Glibc

/// A host that runs the agent of a benchmark folder.
struct RunningHost {
  let program: Program
  let startedAt: Int64
  let folder: BenchFolder

  /// CPU time of the host alone, in milliseconds.
  var cpu: Double { Double(probe_cpu(program.pid)) / 1e6 }

  /// When each process was ready, in Unix milliseconds, as the host says.
  func readyTimes() throws(BenchError) -> [String: Double] {
    let output = "\(folder.path)/status.json"
    unlink(output)
    _ = try Program.run([folder.agent, "status", "--json"], in: folder.path, log: output)
    guard let file = fopen(output, "r") else { throw BenchError("\(output) can't be read.") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    guard let status = try? JSONDocument(parsing: Array(bytes[..<count])).root else {
      throw BenchError("\(output) isn't JSON.")
    }
    var times: [String: Double] = [:]
    for process in status["processes"]?.elements ?? status.elements {
      guard let name = process["name"]?.string else { continue }
      times[name] = process["ready_at"]?.double
    }
    return times
  }

  /// Asks for the end and waits for it.
  func stop() throws(BenchError) {
    _ = process_signal(program.pid, SIGTERM)
    let (status, _) = program.wait()
    guard status == 0 else {
      throw BenchError("The host ended with \(status); see \(folder.log).")
    }
  }
}
