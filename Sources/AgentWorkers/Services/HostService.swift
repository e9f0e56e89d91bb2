package import AgentWorkerProtocol
internal import Synchronization

/// A service of the host. Modules call its methods by name. On the wire, the call is CALL.
package protocol HostService: Sendable {
  /// Answers a call. It must return quickly, so the service does long work elsewhere. Called on any
  /// thread. The calls of one caller come one after another.
  /// - Parameters:
  ///   - input: JSON that hasn't been checked yet.
  ///   - done: called once, on any thread, with JSON or with an error.
  func call(
    _ method: String, _ input: [UInt8], from caller: ServiceCaller,
    done: @escaping @Sendable (Result<[UInt8], WorkerError>) -> Void)

  /// Called when the host starts the caller's work. From now on, this caller is the only one at
  /// work among all callers with its name.
  func started(_ caller: ServiceCaller)

  /// Called when the caller is gone, after its ``ServiceCaller/hasEnded`` was set. A call may still
  /// come that was read before.
  func ended(_ caller: ServiceCaller)
}

extension HostService {
  package func started(_ caller: ServiceCaller) {}
  package func ended(_ caller: ServiceCaller) {}
}

/// One generation of a process as the host's services see it: one worker process, or one module
/// inside the host. While one generation replaces another, two callers have the same name.
package final class ServiceCaller: Sendable {
  /// The name of the process in the settings, or `module:NAME`.
  let name: String
  /// The name of the caller's module.
  let module: String
  /// The counts of the requests that the host has refused to the caller.
  let refusals = Refusals()
  private let isOver = Atomic(false)

  /// Whether the caller is gone. Any thread.
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  package init(_ name: String, module: String) {
    self.name = name
    self.module = module
  }

  /// Records that the caller is gone. Called before the services are told.
  func end() { isOver.store(true, ordering: .releasing) }
}
