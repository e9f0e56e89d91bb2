import BenchSupport
import CProbes

/// An adapter call on the host's own way (its loop, its link, a continuation) from `invoke` to the
/// result, beside a raw round trip of as many bytes over a socketpair.
struct LinkCallBenchmark {
  let bin: String
  let folder: String
  let calls = RunLength.choose(full: 20_000, short: 500)

  func results() throws(BenchError) -> [BenchResult] {
    let link = try RunningLink(bin: bin, folder: folder)
    // The worker's first calls make its threads, which are to be pinned too.
    _ = try link.time(calls / 10, timeout: nil)
    let free = try results(link, "unpinned", pinned: false)
    try link.pin()
    let pinned = try results(link, "one core", pinned: true)
    try link.close()
    return pinned + free
  }

  private func results(
    _ link: RunningLink, _ place: String, pinned: Bool
  ) throws(BenchError) -> [BenchResult] {
    var raw: [Double] = []
    var plain: [Double] = []
    var timed: [Double] = []
    // Taking turns, so that what else the machine does meets all three alike.
    for _ in 0..<RunLength.rounds(5) {
      raw.append(
        try succeeded(
          probe_round_trip(Int32(calls), 64, pinned ? 1 : 0), "The round trip") / 1000)
      plain.append(try link.time(calls / 5, timeout: nil) / 1000)
      timed.append(try link.time(calls / 5, timeout: .seconds(10)) / 1000)
    }
    let target = pinned ? BenchResult.Target.ratio(4) : .none
    return [
      BenchResult(
        name: "adapter call through a worker, \(place)", unit: "µs", measured: timed.median,
        probe: raw.median, target: target),
      BenchResult(
        name: "the same without its timeout, \(place)", unit: "µs", measured: plain.median,
        probe: raw.median),
    ]
  }
}
