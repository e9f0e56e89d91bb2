internal import AgentKit
internal import Synchronization

extension TestHost {
  /// The host's services over the test's state.
  struct Services: HostServices {
    let state: TestHostState
    let clock: TestClock

    func log(_ level: LogLevel, _ message: String) {
      state.update { $0.logs.append(Record(level: level, message: message)) }
    }

    func now() -> Int64 { clock.now }

    func sleep(for duration: Duration) async throws {
      try await clock.sleep(for: duration)
    }

    func call(_ service: String, method: String, input: [UInt8]) async throws -> [UInt8] {
      if service == "metrics/1" { return try measure(method, input).get() }
      if service == "tasks/1" { return try task(method, input).get() }
      guard service == "state/1" else {
        throw ModuleError(.unsupported, "This host doesn't offer \(service).")
      }
      if method == "write", let refusal = state.read({ $0.keepingRefusal }) { throw refusal }
      let answer = state.update { contents -> Result<JSONValue, ModuleError> in
        do throws(ModuleError) {
          return .success(
            try contents.kept.call(method, input, of: state.process, now: clock.now))
        } catch {
          return .failure(error)
        }
      }
      return try answer.get().bytes()
    }

    func send(
      _ service: String, method: String, input: [UInt8],
      done: @escaping @Sendable (Result<[UInt8], ModuleError>) -> Void
    ) {
      switch service {
      case "metrics/1": done(measure(method, input))
      case "tasks/1": done(task(method, input))
      default:
        done(.failure(ModuleError(.unsupported, "\(service) isn't sent to in a test.")))
      }
    }

    private func measure(_ method: String, _ input: [UInt8]) -> Result<[UInt8], ModuleError> {
      state.update { contents in
        do throws(ModuleError) {
          return .success(try contents.measured.call(method, input).bytes())
        } catch {
          return .failure(error)
        }
      }
    }

    func heartbeat() {
      state.update { $0.heartbeats += 1 }
    }

    func publish(_ events: [Event]) async throws {
      try Task.checkCancellation()
      try offer(events)
    }

    func offer(_ events: [Event]) throws(ModuleError) {
      if let refusal = state.read({ $0.refusal }) { throw refusal }
      state.add(
        events.map { $0.completed(now: clock.now, source: state.process) }, published: true)
    }

    func subscribe(_ request: EventRequest) throws(ModuleError) -> EventSubscription {
      if let span = request.span { return run(request, span) }
      let query = try TestQuery(request.query)
      let (batches, stream) = AsyncThrowingStream.makeStream(of: EventBatch.self)
      let (id, past) = state.update { contents in
        contents.nextSubscription += 1
        let id = contents.nextSubscription
        contents.subscriptions[id] = .init(query: query, stream: stream)
        return (id, request.window == nil ? [] : contents.events)
      }
      let recent = past.filter { query.matches($0) && isRecent($0, request.window) }
      if !recent.isEmpty { stream.yield(EventBatch(events: recent)) }
      stream.onTermination = { [state] _ in state.update { $0.subscriptions[id] = nil } }
      return EventSubscription(batches: batches) { [state] count in
        state.update { $0.acknowledged += count }
      }
    }

    /// Runs a query whose rows come from the test.
    private func run(_ request: EventRequest, _ span: String) -> EventSubscription {
      let (batches, stream) = AsyncThrowingStream.makeStream(of: EventBatch.self)
      stream.yield(EventBatch(events: [QueryMessage.start(columns: nil).event]))
      let id = state.update { contents in
        contents.nextSubscription += 1
        let id = contents.nextSubscription
        contents.queries[id] = .init(text: request.query, stream: stream)
        contents.asked.append(TestHost.Query(text: request.query, span: span, after: request.after))
        return id
      }
      stream.onTermination = { [state] _ in state.update { $0.queries[id] = nil } }
      return EventSubscription(batches: batches) { [state] count in
        state.update { $0.acknowledged += count }
      }
    }

    func query(_ request: EventRequest) async throws -> EventResults {
      let query = try TestQuery(request.query)
      let found = state.read { $0.events }
        .filter { query.matches($0) && isRecent($0, request.window) }
      let limit = max(request.limit ?? found.count, 0)
      return EventResults(events: Array(found.suffix(limit)), truncated: found.count > limit)
    }

    private func isRecent(_ event: Event, _ window: Duration?) -> Bool {
      guard let window else { return true }
      return (event.timestamp ?? 0) >= clock.now - window.testMilliseconds
    }
  }
}
