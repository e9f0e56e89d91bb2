extension EventBatch {
  /// Events on the wire: a JSON array, each event with the trace of the current task.
  static func bytes(of events: some Sequence<Event>) -> [UInt8] {
    guard let traceparent = CallTrace.traceparent else {
      return JSONValue.array(events.map(\.json)).bytes()
    }
    let traced = events.map { event in
      var event = event
      event.fields["__traceparent"] = .string(traceparent)
      return event.json
    }
    return JSONValue.array(traced).bytes()
  }

  /// Reads a JSON array of events.
  init(_ node: JSONNode, dropped: UInt64) throws(ModuleError) {
    var events: [Event] = []
    events.reserveCapacity(node.count)
    for element in node.elements {
      events.append(try Event(element))
    }
    self.init(events: events, dropped: dropped)
  }
}

extension EventResults {
  /// Reads the answer to a query.
  init(_ node: JSONNode) throws(ModuleError) {
    guard let list = node["events"], list.kind == .array else {
      throw ModuleError(.failed, "The host answered a query without \"events\".")
    }
    let batch = try EventBatch(list, dropped: 0)
    self.init(events: batch.events, truncated: node["truncated"]?.bool ?? false)
  }
}
