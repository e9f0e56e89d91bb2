import BenchSupport
import CProbes
import Glibc

/// kill -9 of a worker until its replacement is READY, beside a raw `posix_spawn` up to the first
/// byte of the child.
///
/// Each process is killed once: from the second exit within a minute on the host waits on purpose.
struct RestartBenchmark {
  let folder: BenchFolder
  let rawChild: String
  let samples = RunLength.choose(full: 40, short: 3)

  func results() throws(BenchError) -> [BenchResult] {
    [
      try result(
        "kill -9 → READY, Swift module, warm spare", type: "swift_sleeper", target: .ratio(4)),
      try result("kill -9 → READY, command, sandbox", type: "command_sleeper", target: .ratio(2.5)),
      try result(
        "kill -9 → READY, command, no sandbox", type: "command_sleeper", target: .ratio(1.5),
        sandbox: "off"),
    ]
  }

  private func result(
    _ name: String, type: String, target: BenchResult.Target, sandbox: String = "default"
  ) throws(BenchError) -> BenchResult {
    try folder.configure(type, count: samples, sandbox: sandbox)
    let host = try folder.start()
    let first = try folder.page.starts(samples)
    usleep(RunLength.choose(full: 1_000_000, short: 200_000))
    var kills: [Double] = []
    var probes: [Double] = []
    for slot in 0..<samples {
      let before = probe_now()
      kills.append(Self.now)
      _ = process_signal(first[slot].pid, SIGKILL)
      // Time for the restart, undisturbed, and for the next warm spare.
      usleep(70_000)
      _ = try folder.page.start(of: slot, after: before)
      probes.append(try succeeded(probe_spawn(rawChild, 1), "The raw spawn") / 1e6)
    }
    let ready = try host.readyTimes()
    try host.stop()
    let restarts = try kills.enumerated().map { slot, killed throws(BenchError) in
      guard let time = ready["p\(slot)"], time > killed else {
        throw BenchError("Process \(slot) has no time of READY after its kill.")
      }
      return time - killed
    }
    let rounds = zip(restarts, probes).map { (measured: $0, probe: $1) }
    return BenchResult(name: name, unit: "ms", rounds: rounds, target: target)
  }

  /// Unix milliseconds, by the clock that the host's `ready_at` is taken from.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}
