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
  /// The bus that events go to and come from.
  let events: EventBus
  /// Where subscriptions of workers that have ended had come to.
  let positions: SubscriptionPositions
  /// The services that are asked by the names of their methods, by id.
  let byMethod: [String: any HostService]
  /// Takes a log record of a worker.
  let log: @Sendable (WorkerLogRecord) -> Void
  /// Called for log records of a worker that were dropped, with the process and their number.
  let recordsDropped: @Sendable (String, Int) -> Void
  /// Parses the long frames of all workers, one at a time.
  let largeFrames = DispatchQueue(label: "agent.frames")
  /// Makes spans of calls of services.
  let tracer: Tracer
  /// Counts calls of services.
  private let metrics: ServiceMetrics?
  /// Takes what LOADED said of the sandbox.
  let sandboxReached: @Sendable (WorkerLink, Loaded) -> Void
  /// Takes that a process inside the host has failed, with the reason, or runs: nil.
  let inProcessChanged: @Sendable (String, String?) -> Void
  /// A worker's process is gone; its crash descriptor can still be read.
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

  /// Takes in what a process publishes, within the trace that it names: events that are published
  /// during a call carry that in a member of theirs, which nobody else gets. If several do, the
  /// first counts.
  /// - Parameter completion: as ``EventBus/publishPatiently(_:source:completion:)`` has it.
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

  /// Asks a service as CALL says, within the trace that it names.
  func call(
    _ call: Call, from caller: ServiceCaller,
    done: @escaping @Sendable (Result<[UInt8], WorkerError>) -> Void
  ) {
    self.call(
      call.service, method: call.method, input: call.input, traceparent: call.traceparent,
      from: caller,
      done: done)
  }

  /// What messages repeat of the name of a service or a method that isn't there, in bytes. No service
  /// has a longer one.
  static let maxNameBytes = 100

  /// Asks a service by the name of a method.
  /// - Parameter done: called once, from any thread.
  func call(
    _ service: String, method: String, input: [UInt8], traceparent: String? = nil,
    from caller: ServiceCaller, done: @escaping @Sendable (Result<[UInt8], WorkerError>) -> Void
  ) {
    // Before it becomes part of a message or of a span, which is kept: it may have megabytes.
    let method = method.cut(toBytes: Self.maxNameBytes)
    let measured = metrics?.measured(service, done) ?? done
    // One name for all services that aren't offered: the worker could name any number of them.
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

  /// Tells the services that a worker is gone. Called once for each caller.
  func ended(_ caller: ServiceCaller) {
    for service in byMethod.values { service.ended(caller) }
  }

  /// Tells the services that a process is told to start.
  func started(_ caller: ServiceCaller) {
    for service in byMethod.values { service.started(caller) }
  }
}
