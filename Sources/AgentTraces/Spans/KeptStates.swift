internal import Synchronization

/// The `tracestate` of the traces in use, for callers that pass on only the `traceparent`. Each
/// `keep` needs a `drop` for the same trace.
final class KeptStates: Sendable {
  private struct Kept {
    let state: TraceState
    var uses = 1
  }

  private let kept = Mutex<[TraceID: Kept]>([:])

  subscript(trace: TraceID) -> TraceState? { kept.withLock { $0[trace]?.state } }

  func keep(_ state: TraceState, of trace: TraceID) {
    // Several requests of one trace may overlap, so the state stays until the last one has ended.
    kept.withLock { kept in
      if kept[trace] == nil { kept[trace] = Kept(state: state) } else { kept[trace]?.uses += 1 }
    }
  }

  func drop(_ trace: TraceID) {
    kept.withLock { kept in
      guard let uses = kept[trace]?.uses else { return }
      if uses > 1 { kept[trace]?.uses = uses - 1 } else { kept[trace] = nil }
    }
  }
}
