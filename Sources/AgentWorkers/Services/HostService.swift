package import AgentWorkerProtocol

/// A service of the host that is asked by the names of its methods: CALL on the wire.
package protocol HostService: Sendable {
  /// Answers a call. Quick; what takes time goes on elsewhere. Any thread; the calls of one caller
  /// come one after another.
  /// - Parameters:
  ///   - input: JSON that wasn't looked at yet.
  ///   - done: called once, from any thread: with JSON, or with why there is none.
  func call(
    _ method: String, _ input: [UInt8], from caller: ServiceCaller,
    done: @escaping @Sendable (Result<[UInt8], WorkerError>) -> Void)

  /// The caller is told to start its work: of all callers with its name it is the one at work now.
  func started(_ caller: ServiceCaller)

  /// The caller is gone; nothing comes from it any more.
  func ended(_ caller: ServiceCaller)
}

extension HostService {
  package func started(_ caller: ServiceCaller) {}
  package func ended(_ caller: ServiceCaller) {}
}

/// One generation of a process as the host's services see it: one worker process, or one module
/// inside the host. Two of the same name are there while one replaces the other.
package final class ServiceCaller: Sendable {
  /// The name of the process in the settings, or `module:NAME`.
  let name: String
  /// The name of its module.
  let module: String
  /// What was refused to it.
  let refusals = Refusals()

  package init(_ name: String, module: String) {
    self.name = name
    self.module = module
  }
}
