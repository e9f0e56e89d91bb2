import CAgentModule
import Synchronization

/// A created contribution. `agent_module.h` defines the thread and the state for each function.
/// Every method is called on the module thread, except `callSync`. A call that the state doesn't
/// allow never reaches the module.
///
/// Rationale: the module's pointer is constant until `destroy`. `@unchecked` is necessary because
/// the compiler can't know that of a C pointer.
public final class ContributionInstance: @unchecked Sendable {
  private enum Phase {
    static let created = 0
    static let started = 1
    static let destroyed = 2
  }

  private let table: ContributionTable
  private let host: HostTable
  private let instance: UnsafeMutableRawPointer?
  private let function: ContributionTable.CallSync?
  private let phase = Atomic<Int>(Phase.created)

  init(
    table: ContributionTable, settings: [UInt8], services: any HostServices,
    extensions: Set<String>
  ) throws(ModuleFailure) {
    let host = HostTable(services: services, extensions: extensions)
    let problem = ProblemText()
    let completion = Completions.make { _, text in problem.set(text) }
    var instance: UnsafeMutableRawPointer?
    let status = withBytes(settings) { settings in
      let made = table.create?(table.typeContext, host.host, settings, completion, &instance)
      return made.map { ModuleStatus(module: $0) } ?? .unsupported
    }
    // `create` reports a problem before it returns. A later call of the completion has no effect.
    Completions.withdraw(completion)
    guard status == .ok else { throw ModuleFailure(status, problem.text) }
    self.table = table
    self.host = host
    self.instance = instance
    function = table.callSync
  }

  /// Starts the contribution. `ended` is called once, when its work has ended by itself. A
  /// contribution that only answers calls never calls it. [module-thread]
  public func start(
    ended: @escaping @Sendable (ModuleStatus, String) -> Void
  ) -> ModuleStatus {
    guard move(from: Phase.created, to: Phase.started) else { return .invalidArgument }
    // A contribution without `start` only answers calls.
    guard let start = table.start else { return .ok }
    let completion = Completions.make { ended($0, String(decoding: $1, as: UTF8.self)) }
    let status = ModuleStatus(module: start(instance, completion))
    if status != .ok {
      // A module that refuses to start doesn't keep the completion.
      Completions.withdraw(completion)
      phase.store(Phase.created, ordering: .releasing)
    }
    return status
  }

  /// Asks the contribution to stop. A second call is allowed. [module-thread]
  public func stop(done: @escaping @Sendable () -> Void) {
    guard isStarted, let stop = table.stop else { return done() }
    stop(instance, Completions.make { _, _ in done() })
  }

  /// Makes a call. The parts and the end go to the sink, on any thread, possibly before this
  /// function returns. [module-thread]
  /// - Parameters:
  ///   - traceparent: the trace context of the call, as in W3C Trace Context.
  ///   - tracestate: the entries of other tracing systems that belong to it.
  public func invoke(
    call: UInt64, input: [UInt8], deadline: Int64, traceparent: String? = nil,
    tracestate: String? = nil, sink: CallSink
  ) {
    guard isStarted, let invoke = table.invoke else {
      return sink.finish(
        .unsupported, Array("\"\(table.name)\" isn't started, or answers no calls.".utf8))
    }
    withBytes(Array((traceparent ?? "").utf8)) { parent in
      withBytes(Array((tracestate ?? "").utf8)) { state in
        withUnsafePointer(to: CallSinks.make(sink, traceparent: parent, tracestate: state)) {
          sink in
          withBytes(input) { invoke(instance, call, $0, deadline, sink) }
        }
      }
    }
  }

  /// Cancels a call. The sink still receives its end. [module-thread]
  public func cancel(call: UInt64) {
    guard isStarted else { return }
    table.cancel?(instance, call)
  }

  /// Whether the contribution implements `callSync`.
  public var offersCallSync: Bool { function != nil }

  /// Calls the module's function directly, without a sink. Returns the number of bytes written to
  /// `output`, or a negated `agent_status`. [any-thread & started]
  public func callSync(
    _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int64 {
    guard isStarted, let function else { return -Int64(ModuleStatus.unsupported.rawValue) }
    return function(
      instance, agent_bytes(ptr: input.baseAddress, len: input.count), output.baseAddress,
      output.count)
  }

  /// Frees the instance. Nothing of the contribution may run any more. Further calls have no
  /// effect. [module-thread]
  public func destroy() {
    guard phase.exchange(Phase.destroyed, ordering: .acquiringAndReleasing) != Phase.destroyed
    else {
      return
    }
    table.destroy?(instance)
  }

  private var isStarted: Bool {
    phase.load(ordering: .acquiring) == Phase.started
  }

  private func move(from old: Int, to new: Int) -> Bool {
    phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}

/// The message with which a module explains why it can't create a contribution.
private final class ProblemText: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  var text: [UInt8] { bytes.withLock { $0 } }

  func set(_ text: [UInt8]) {
    bytes.withLock { $0 = text }
  }
}
