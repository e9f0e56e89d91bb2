import BenchSupport
import CProbes

/// `call_sync` of a Swift module in this very process, beside a plain C function that does the
/// same.
struct CallBenchmark {
  private static let calls: Int32 = RunLength.choose(full: 2_000_000, short: 20_000)
  let library: String

  func results() throws(BenchError) -> [BenchResult] {
    let plain = try middle { probe_calls(probe_plain_call, nil, Self.calls) }
    let swift = try middle { call_sync_cost(library, "bench_copy", Self.calls) }
    return [
      BenchResult(
        name: "call_sync of a Swift module, in process", unit: "ns", measured: swift, probe: plain,
        target: .overProbe(30))
    ]
  }

  private func middle(_ measure: () -> Int64) throws(BenchError) -> Double {
    var samples: [Double] = []
    for _ in 0..<RunLength.rounds(5) {
      samples.append(try succeeded(measure(), "The call of \(library)") / 1000)
    }
    return samples.median
  }
}
