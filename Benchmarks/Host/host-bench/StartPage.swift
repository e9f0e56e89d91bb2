import BenchSupport
import CProbes
import Glibc

/// The file in which each benchmark process notes its pid and when it got START.
///
/// Rationale: the time is taken by the process itself, so how the benchmark waits doesn't matter.
struct StartPage {
  let path: String
  private let file: Int32

  init(_ path: String) throws(BenchError) {
    self.path = path
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw BenchError("\(path) can't be opened.") }
  }

  /// Forgets all starts.
  func clear() {
    ftruncate(file, 0)
  }

  /// Waits until `slot` was started after `time`; who it is, and when.
  func start(of slot: Int, after time: Int64 = 0) throws(BenchError) -> (pid: Int32, time: Int64) {
    let deadline = probe_now() + 60_000_000_000
    while probe_now() < deadline {
      var pid: Int32 = 0
      let started = page_started(file, Int32(slot), &pid)
      if started > time { return (pid, started) }
      usleep(300)
    }
    throw BenchError("Process \(slot) was not started within a minute.")
  }

  /// Waits until the slots below `count` have all been started.
  func starts(_ count: Int) throws(BenchError) -> [(pid: Int32, time: Int64)] {
    var result: [(pid: Int32, time: Int64)] = []
    for slot in 0..<count { result.append(try start(of: slot)) }
    return result
  }
}
