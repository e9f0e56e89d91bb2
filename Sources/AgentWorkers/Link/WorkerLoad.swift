internal import AgentEvents
package import AgentJSON
internal import AgentWorkerProtocol

/// The bytes that the host holds at the moment because of one worker.
package struct WorkerLoad: Sendable, Hashable {
  /// Events that it has published and that aren't stored yet.
  package var publishing = 0
  /// Its calls that aren't answered yet.
  package var calls = 0
  /// Answers, events and calls that it hasn't read yet.
  package var outbound = 0
  /// Frames that haven't arrived as a whole, and the long one that is being parsed.
  package var inbound = 0
  /// Events and rows that wait in its subscriptions.
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

  /// The load as the API gives it.
  package var json: JSONValue {
    [
      "publishing_bytes": .number(JSONNumber(publishing)), "call_bytes": .number(JSONNumber(calls)),
      "outbound_bytes": .number(JSONNumber(outbound)),
      "inbound_bytes": .number(JSONNumber(inbound)),
      "subscription_bytes": .number(JSONNumber(subscriptions)),
    ]
  }

  /// Both together, while one worker replaces another.
  package static func + (one: WorkerLoad, other: WorkerLoad) -> WorkerLoad {
    WorkerLoad(
      publishing: one.publishing + other.publishing, calls: one.calls + other.calls,
      outbound: one.outbound + other.outbound, inbound: one.inbound + other.inbound,
      subscriptions: one.subscriptions + other.subscriptions)
  }
}

extension WorkerLink {
  /// How often the host has refused something to this worker, by what it asked for. Any thread.
  package var refused: [String: Int64] { caller.refusals.all }

  /// The bytes that the host holds because of this worker. Any thread.
  package var load: WorkerLoad {
    withState { state in
      WorkerLoad(
        // Parts of a long PUBLISH aren't counted as being stored yet, but are held as well.
        publishing: state.parts.reduce(state.publishing) { $0 + $1.body.count },
        calls: state.asking, outbound: state.socket.outboundBytes,
        inbound: state.socket.inboundBytes + state.parsing, subscriptions: budget.bytes)
    }
  }
}
