internal import AgentEvents
package import AgentJSON
internal import AgentWorkerProtocol

/// The bytes that the host holds at the moment because of one worker.
package struct WorkerLoad: Sendable, Hashable {
  /// The bytes of published events that aren't stored yet.
  package var publishing = 0
  /// The bytes of the worker's calls that aren't answered yet.
  package var calls = 0
  /// The bytes of answers, events and calls that the worker hasn't read yet.
  package var outbound = 0
  /// The bytes of frames that haven't arrived completely, and of the long frame that is being
  /// parsed.
  package var inbound = 0
  /// The bytes of events and rows that wait in the worker's subscriptions.
  package var subscriptions = 0

  package init(
    publishing: Int = 0, calls: Int = 0, outbound: Int = 0, inbound: Int = 0,
    subscriptions: Int = 0
  ) {
    self.publishing = publishing
    self.calls = calls
    self.outbound = outbound
    self.inbound = inbound
    self.subscriptions = subscriptions
  }

  /// The load as JSON, for the API.
  package var json: JSONValue {
    [
      "publishing_bytes": .number(JSONNumber(publishing)), "call_bytes": .number(JSONNumber(calls)),
      "outbound_bytes": .number(JSONNumber(outbound)),
      "inbound_bytes": .number(JSONNumber(inbound)),
      "subscription_bytes": .number(JSONNumber(subscriptions)),
    ]
  }

  /// Returns the sum of two loads. It is used while one worker replaces another.
  package static func + (one: WorkerLoad, other: WorkerLoad) -> WorkerLoad {
    WorkerLoad(
      publishing: one.publishing + other.publishing, calls: one.calls + other.calls,
      outbound: one.outbound + other.outbound, inbound: one.inbound + other.inbound,
      subscriptions: one.subscriptions + other.subscriptions)
  }
}

extension WorkerLink {
  /// The number of this worker's requests that the host refused, by the kind of request. Any
  /// thread.
  package var refused: [String: Int64] { caller.refusals.all }

  /// The bytes that the host holds because of this worker. Any thread.
  package var load: WorkerLoad {
    withState { state in
      WorkerLoad(
        // The waiting parts of a long PUBLISH aren't counted in `publishing` yet, but the host
        // holds them too.
        publishing: state.parts.reduce(state.publishing) { $0 + $1.body.count },
        calls: state.asking, outbound: state.socket.outboundBytes,
        inbound: state.socket.inboundBytes + state.parsing, subscriptions: budget.bytes)
    }
  }
}
