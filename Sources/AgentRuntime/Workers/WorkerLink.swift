internal import AgentEvents
internal import AgentJSON
internal import AgentModules
internal import AgentSupervision
internal import AgentWorkerProtocol
internal import Synchronization

/// Joins one worker process to the host: frames on its socket become reports to the supervisor,
/// events on the bus, log records and results of calls.
///
/// The supervisor and the loop call it on the loop's thread; `invoke` and the bus may call from any
/// thread. What follows from a frame is done after the state is released.
final class WorkerLink: WorkerChannel {
  struct State {
    var socket: WorkerSocket
    var session = HostSession()
    var registration: LoopRegistration?
    var subscriptions: [UInt32: OpenSource] = [:]
    var calls: [UInt32: PendingCall] = [:]
    var waiting: [CheckedContinuation<Bool, Never>] = []
    var isClosed = false
    /// What the worker may say by LOG: as much as by its output.
    var records = Allowance()
    /// Whether nothing is read for a moment.
    var isPaused = false
  }

  let plan: WorkerPlan
  let connection: WorkerConnection
  let services: WorkerServices
  let caller: ServiceCaller
  private let state: Mutex<State>

  init(plan: WorkerPlan, connection: WorkerConnection, services: WorkerServices) {
    self.plan = plan
    self.connection = connection
    self.services = services
    caller = ServiceCaller(plan.name, module: plan.manifest.name)
    state = Mutex(State(socket: WorkerSocket(connection.socket ?? -1)))
  }

  // MARK: The supervisor's calls

  func attach() {
    guard let socket = connection.socket else { return }
    let registration = connection.loop.register(socket, [.readable]) { [weak self] ready in
      self?.handle(ready)
    }
    guard let registration else {
      connection.handle.report(.breach(reason: "Its socket can't be watched."))
      return
    }
    state.withLock { $0.registration = registration }
    // A spare has said HELLO long ago: it is answered before anything else is done. Another worker
    // finds LOAD, and mostly CONFIGURE, when it has said it.
    if connection.isSpare {
      _ = receive()
    } else {
      act { $0.session.loadAhead(plan.load, then: plan.configurationsAhead) }
    }
  }

  func start() {
    services.started(caller)
    act { $0.session.start() }
  }
  func ping() { act { $0.session.ping() } }

  func stop(deadline: Duration) {
    let milliseconds = Int(clamping: deadline.milliseconds)
    act { state in
      let actions = state.session.stop(deadlineMilliseconds: milliseconds)
      // A worker that was refused, or hasn't said HELLO, is told by the end of its stream: it would
      // be waited for in vain until the deadline.
      if actions.isEmpty { state.socket.end() }
      return actions
    }
  }

  func exited() {
    let (registration, subscriptions) = state.withLock { state in
      defer {
        state.registration = nil
        state.subscriptions = [:]
      }
      return (state.registration, Array(state.subscriptions.values))
    }
    if let registration { connection.loop.deregister(registration) }
    for subscription in subscriptions { subscription.source.end(continues: true) }
  }

  func close(_ exit: ExitStatus) {
    drain()
    exited()
    report(dropped: withState { $0.records.takeRefused() })
    let (calls, waiting) = state.withLock { state in
      state.isClosed = true
      state.socket.release()
      defer {
        state.calls = [:]
        state.waiting = []
      }
      return (Array(state.calls.values), state.waiting)
    }
    let failure = WorkerError(
      .closed, "The worker of \(plan.name) ended during the call: \(exit).")
    for call in calls { call.finish(.failure(failure)) }
    for waiter in waiting { waiter.resume(returning: false) }
    services.ended(caller)
    services.ended(self, exit)
  }

  // MARK: State

  /// Changes the state and does what follows from it.
  func act(_ change: (inout State) -> [HostAction]) {
    let effects = state.withLock { state in
      state.isClosed ? [] : settle(&state, change(&state))
    }
    for effect in effects { perform(effect) }
  }

  /// Reads or changes the state without anything following.
  func withState<Result: Sendable>(_ body: (inout sending State) -> sending Result) -> Result {
    state.withLock(body)
  }

  /// Sends what is to be sent, in order; what else follows is given back.
  private func settle(_ state: inout State, _ actions: [HostAction]) -> [HostAction] {
    var effects: [HostAction] = []
    do throws(WorkerSocket.Failure) {
      for action in actions {
        if case .send(let frame) = action {
          try state.socket.enqueue(frame)
        } else {
          effects.append(action)
        }
      }
      try state.socket.flush()
    } catch {
      if case .breach(let reason) = error { effects.append(.breach(reason)) }
    }
    if let registration = state.registration {
      var interest: LoopEvents = state.isPaused ? [] : [.readable]
      if state.socket.wantsToWrite { interest.insert(.writable) }
      connection.loop.setInterest(registration, interest)
    }
    return effects
  }

  // MARK: The loop's calls

  private func handle(_ ready: LoopEvents) {
    if ready.contains(.writable) { act { _ in [] } }
    if ready.contains(.readable) { _ = receive() }
  }

  /// Reads what is left in the socket of a process that has ended, up to a bound.
  private func drain() {
    for _ in 0..<64 where !receive() { return }
  }

  /// Reads once. Returns false when there was nothing.
  private func receive() -> Bool {
    var isOver = false
    var isEmpty = false
    act { state in
      do throws(WorkerSocket.Failure) {
        let frames = try state.socket.receive()
        isEmpty = frames.isEmpty
        return frames.flatMap { state.session.receive($0) }
      } catch {
        isOver = true
        if let registration = state.registration {
          connection.loop.deregister(registration)
          state.registration = nil
        }
        guard case .breach(let reason) = error else { return [] }
        return [.breach(reason)]
      }
    }
    if isOver { connection.handle.report(.hungUp) }
    return !isOver && !isEmpty
  }
}

extension Duration {
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds.multipliedReportingOverflow(by: 1000).overflow
      ? .max : seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
