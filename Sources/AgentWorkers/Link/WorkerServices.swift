package import AgentEvents
internal import AgentJSON
package import AgentSupervision
package import AgentTraces
package import AgentWorkerProtocol
internal import AgentText
internal import Dispatch

/// A log record of a process.
package struct WorkerLogRecord: Sendable {
  /// The name of the process.
  package let process: String
  package let level: WireLevel
  package let message: String
}

/// The services of the host for its workers. All workers share one object.
package final class WorkerServices: Sendable {
  /// The bus that receives the events of workers and delivers events to them.
  let events: EventBus
  /// The last positions of the subscriptions of workers that have ended.
  let positions: SubscriptionPositions
  /// The services that are called by the names of their methods. The key is the service's id.
  let byMethod: [String: any HostService]
  /// Receives a log record of a worker.
  let log: @Sendable (WorkerLogRecord) -> Void
  /// Called when log records of a worker were dropped, with the name of the process and the number
  /// of records.
  let recordsDropped: @Sendable (String, Int) -> Void
  /// Parses the long frames of all workers, one at a time.
  let largeFrames = DispatchQueue(label: "agent.frames")
  /// Creates the spans of calls of services.
  let tracer: Tracer
  /// Counts the calls of services.
  private let metrics: ServiceMetrics?
  /// Receives LOADED with the sandbox that the worker reached.
  let sandboxReached: @Sendable (WorkerLink, Loaded) -> Void
  /// Called when a process inside the host has failed or runs, with its name and the reason of the
  /// failure. The reason is `nil` if the process runs.
  let inProcessChanged: @Sendable (String, String?) -> Void
  /// Called when the process of a worker has ended. Its crash descriptor can still be read.
  let ended: @Sendable (WorkerLink, ExitStatus) -> Void

  package init(
    events: EventBus, positions: SubscriptionPositions,
    byMethod: [String: any HostService] = [:],
    metrics: ServiceMetrics? = nil, tracer: Tracer = Tracer(),
    log: @escaping @Sendable (WorkerLogRecord) -> Void,
    recordsDropped: @escaping @Sendable (String, Int) -> Void = { _, _ in },
    sandboxReached: @escaping @Sendable (WorkerLink, Loaded) -> Void,
    inProcessChanged: @escaping @Sendable (String, String?) -> Void = { _, _ in },
    ended: @escaping @Sendable (WorkerLink, ExitStatus) -> Void
  ) {
    self.events = events
    self.positions = positions
    self.byMethod = byMethod
    self.metrics = metrics
    self.tracer = tracer
    self.log = log
    self.recordsDropped = recordsDropped
    self.sandboxReached = sandboxReached
    self.inProcessChanged = inProcessChanged
    self.ended = ended
  }

  /// Publishes the events of a process, within the trace that the events name.
  ///
  /// Events that are published during a call carry the trace in the member `__traceparent`. It is
  /// removed before the events are published. If several events carry one, the first is used.
  /// - Parameter completion: see ``EventBus/publishPatiently(_:source:completion:)``.
  func publish(
    _ objects: [JSONObject], of process: String, completion: @escaping @Sendable (Bool) -> Void
  ) throws(EventError) {
    let traceparent = objects.lazy.compactMap { $0["__traceparent"]?.string }.first
    let objects = objects.map { object in
      guard object["__traceparent"] != nil else { return object }
      var object = object
      object["__traceparent"] = nil
      return object
    }
    try tracer.publishing(for: traceparent, of: process, completion) { done throws(EventError) in
      try events.publishPatiently(objects, source: process, completion: done)
    }
  }

  /// Calls the service that a CALL names, within the trace that the CALL names.
  /// - Parameter done: called once, from any thread.
  func call(
    _ call: Call, from caller: ServiceCaller,
    done: @escaping @Sendable (Result<[UInt8], WorkerError>) -> Void
  ) {
    self.call(
      call.service, method: call.method, input: call.input, traceparent: call.traceparent,
      from: caller,
      done: done)
  }

  /// The largest part of an unknown service's or method's name that a message repeats, in bytes. No
  /// service has a longer name.
  static let maxNameBytes = 100

  /// Calls a method of a service.
  /// - Parameter done: called once, from any thread.
  func call(
    _ service: String, method: String, input: [UInt8], traceparent: String? = nil,
    from caller: ServiceCaller, done: @escaping @Sendable (Result<[UInt8], WorkerError>) -> Void
  ) {
    // The name may have megabytes. It is cut before it becomes part of a message or of a span,
    // which the host keeps.
    let method = method.cut(toBytes: Self.maxNameBytes)
    let measured = metrics?.measured(service, done) ?? done
    // All services that the host doesn't offer are counted under one name, because the worker could
    // name any number of them.
    let name = byMethod[service] == nil ? "other" : service
    let done = { @Sendable (result: Result<[UInt8], WorkerError>) in
      if case .failure = result { caller.refusals.count(name) }
      measured(result)
    }
    if let asked = byMethod[service] {
      return tracer.serving(service, method: method, for: traceparent, of: caller, done: done) {
        done in
        asked.call(method, input, from: caller, done: done)
      }
    }
    done(
      .failure(
        WorkerError(
          .unsupported,
          "This host offers no \"\(service.cut(toBytes: Self.maxNameBytes))\"; agent features lists its services."
        )))
  }

  /// Reports to the services that a worker has ended. Called once for each caller.
  func ended(_ caller: ServiceCaller) {
    // Set first, so that a service that then finds it unset is still told the end.
    caller.end()
    for service in byMethod.values { service.ended(caller) }
  }

  /// Reports to the services that a process is about to start its work.
  func started(_ caller: ServiceCaller) {
    for service in byMethod.values { service.started(caller) }
  }
}
