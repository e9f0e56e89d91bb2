extension WorkerSession {
  /// Returns HELLO, which the worker sends first.
  public func hello(_ hello: Hello) -> Frame {
    Frame(.hello, body: hello.json)
  }

  /// Answers LOAD after the module was loaded.
  public mutating func loaded(_ id: UInt32, _ loaded: Loaded) -> Frame {
    didLoad()
    return Frame(.loaded, id: id, body: loaded.json)
  }

  /// Answers CONFIGURE after the contribution was created.
  public func ready(_ id: UInt32) -> Frame {
    Frame(.ready, id: id, body: Array("{}".utf8))
  }

  /// Answers START and PING.
  public func reply(_ id: UInt32) -> Frame {
    Frame(.reply, id: id)
  }

  /// Answers STOP.
  public mutating func stopped(_ id: UInt32) -> Frame {
    openStops.remove(id)
    return Frame(.reply, id: id)
  }

  /// Refuses LOAD, CONFIGURE or START.
  public func fail(_ id: UInt32, _ error: WorkerError) -> Frame {
    Frame(.error, id: id, body: error.json)
  }

  /// Returns the frame for a part of a call's result, as JSON. Returns `nil` if the call has ended.
  public mutating func part(_ call: UInt32, _ value: [UInt8]) -> Frame? {
    guard let sequence = invocations[call] else { return nil }
    invocations[call] = sequence + 1
    return Frame(.part, id: call, body: Part(sequence: sequence, value: value).json)
  }

  /// Returns the frame for the end of a call, with JSON or an error. Returns `nil` if the call has
  /// ended already.
  public mutating func finish(_ call: UInt32, _ result: Result<[UInt8], WorkerError>) -> Frame? {
    guard invocations.removeValue(forKey: call) != nil else { return nil }
    return switch result {
    case .success(let json): Frame(.reply, id: call, body: json)
    case .failure(let error): fail(call, error)
    }
  }

  /// The calls whose end wasn't sent.
  public var openInvocations: [UInt32] {
    invocations.keys.sorted()
  }

  /// Returns the frame for a call of a service of the host. `.answered` with this id follows.
  public mutating func call(_ call: Call) -> (id: UInt32, frame: Frame) {
    let id = newID()
    calls.insert(id)
    return (id, Frame(.call, id: id, body: call.json))
  }
}
