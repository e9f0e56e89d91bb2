internal import AgentEvents
internal import AgentTraces
package import AgentWorkerProtocol

/// The spans of the host's calls of modules, and of the modules' requests to the host.
extension Tracer {
  /// Calls a contribution and returns its answer. If the call belongs to a trace, it is recorded as
  /// a span.
  /// - Throws: the error of `call`.
  package func calling<Answer: Sendable>(
    _ module: String, contribution: ContributionName,
    call: () async throws(HostError) -> Answer
  ) async throws(HostError) -> Answer {
    guard let span = step("\(module)/\(contribution.name)", .client) else {
      return try await call()
    }
    let attributes: [(key: String, value: SpanValue)] = [
      ("bulkhead.module", .string(module)), ("bulkhead.contribution", .string(contribution.name)),
      ("bulkhead.kind", .string(contribution.kind.name)),
    ]
    let result = await working(in: span.context) { () async -> Result<Answer, HostError> in
      do throws(HostError) {
        return .success(try await call())
      } catch {
        return .failure(error)
      }
    }
    if case .failure(let error) = result {
      span.end(failure: error.message, attributes: attributes)
    } else {
      span.end(attributes: attributes)
    }
    return try result.get()
  }

  /// Publishes events of a process, within the trace that the events name.
  /// - Parameters:
  ///   - traceparent: the trace. Nil means that the events name none.
  ///   - done: receives whether the events are stored.
  /// - Throws: the error of `publish`.
  func publishing(
    for traceparent: String?, of process: String, _ done: @escaping @Sendable (Bool) -> Void,
    _ publish: (@escaping @Sendable (Bool) -> Void) throws(EventError) -> Void
  ) throws(EventError) {
    guard isRecording, let traceparent, let context = context(of: traceparent),
      let span = serve("events/1 publish", for: context)
    else { return try publish(done) }
    let attributes = [(key: "bulkhead.process", value: SpanValue.string(process))]
    let result = Tracer.$current.withValue(span.context) { () -> Result<Void, EventError> in
      do throws(EventError) {
        try publish { isStored in
          span.end(failure: isStored ? nil : "They aren't stored.", attributes: attributes)
          done(isStored)
        }
        return .success(())
      } catch {
        span.end(failure: error.message, attributes: attributes)
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Calls a service, within the trace that the caller names.
  /// - Parameter traceparent: the trace. Nil means that the caller names none.
  func serving(
    _ service: String, method: String, for traceparent: String?, of caller: ServiceCaller,
    done: @escaping @Sendable (Result<[UInt8], WorkerError>) -> Void,
    call: (@escaping @Sendable (Result<[UInt8], WorkerError>) -> Void) -> Void
  ) {
    guard isRecording, let traceparent, let context = context(of: traceparent),
      let span = serve("\(service) \(method)", for: context)
    else { return call(done) }
    let process = SpanValue.string(caller.name)
    Tracer.$current.withValue(span.context) {
      call { result in
        if case .failure(let error) = result {
          span.end(failure: error.message, attributes: [("bulkhead.process", process)])
        } else {
          span.end(attributes: [("bulkhead.process", process)])
        }
        done(result)
      }
    }
  }
}
