import CProbes
import Glibc

/// A host that runs the agent of a benchmark folder.
struct RunningHost {
  let program: Program
  let startedAt: Int64
  let folder: BenchFolder

  /// CPU time of the host alone, in milliseconds.
  var cpu: Double { Double(probe_cpu(program.pid)) / 1e6 }

  /// Asks for the end and waits for it.
  func stop() throws(BenchError) {
    _ = process_signal(program.pid, SIGTERM)
    let (status, _) = program.wait()
    guard status == 0 else {
      throw BenchError("The host ended with \(status); see \(folder.log).")
    }
  }
}
