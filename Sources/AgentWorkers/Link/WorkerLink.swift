internal import AgentEvents
internal import AgentJSON
internal import AgentModules
package import AgentSupervision
internal import AgentSystem
internal import AgentWorkerProtocol
internal import DequeModule
internal import Synchronization

/// Connects one worker process to the host. It turns the frames on the worker's socket into reports
/// to the supervisor, events on the bus, log records and results of calls.
///
/// The supervisor and the loop call it on the loop's thread. `invoke` and the bus may call from any
/// thread. The actions of a frame are performed outside the lock.
package final class WorkerLink: WorkerChannel {
  struct State {
    var socket: WorkerSocket
    var session = HostSession()
    var registration: LoopRegistration?
    var subscriptions: [UInt32: OpenSource] = [:]
    var calls: [UInt32: PendingCall] = [:]
    var waiting: [CheckedContinuation<Bool, Never>] = []
    var isClosed = false
    /// The rate limit of LOG. It is the limit of the worker's printed output.
    var records = RateLimit()
    /// The rate limit of frames that neither credit nor an answer limits.
    var frames = RateLimit(WorkerLink.frameLimits)
    /// Whether reading pauses because frames came too fast.
    var isPaused = false
    /// Whether received frames wait for the loop's next round. Nothing is read until they have been
    /// processed.
    var hasBacklog = false
    /// The long frame that is being parsed. Nothing is read until it is finished.
    var large: LargeFrame?
    /// The size of that frame's body in bytes. It is 0 as soon as the bytes are counted as those of
    /// a call or of events.
    var parsing = 0
    /// Whether the process has ended and the rest of its stream is read at once.
    var isDraining = false
    /// The number of bytes of PUBLISH that were received while `isDraining` was true.
    var drainedEvents = 0
    /// The parts of a long PUBLISH. They are processed before any later frame.
    var parts: Deque<Frame> = []
    /// The number of bytes of PUBLISH that aren't stored yet.
    var publishing = 0
    /// The number of bytes of PUBLISH that were stored or refused. It wraps around.
    var published = 0
    /// Whether a timer is set that reports the worker alive if the host still keeps it waiting. The
    /// worker's answers to pings aren't read then.
    var isVouchedFor = false
    /// The size in bytes of each CALL without an answer, by its id.
    var asked: [UInt32: Int] = [:]
    /// The sum of the sizes in `asked`.
    var asking = 0
    /// The queries that wait until other queries of this worker are answered.
    var queries: Deque<(id: UInt32, input: [UInt8])> = []
    var runningQueries = 0
    /// The subscriptions that wait until fewer bytes wait to be sent.
    var congested: Set<UInt32> = []
    /// Whether a timer is set that tries again to send.
    var isFlushPlanned = false

    /// Whether the events that are being stored exceed the limit. Then no frame is processed.
    var isHeldBack: Bool { publishing > WorkerLink.maxPublishing && !isDraining }
    /// Whether the worker's frames wait until the host has stored events or parsed a long frame.
    var isKeptWaiting: Bool { isHeldBack || large != nil }
    /// Whether the host reads from the socket.
    var isReading: Bool { !isPaused && !hasBacklog && !isKeptWaiting }
  }

  package let plan: WorkerPlan
  package let connection: WorkerConnection
  let services: WorkerServices
  let caller: ServiceCaller
  /// Counts the bytes that wait in the worker's subscriptions.
  let budget: StreamBudget
  private let state: Mutex<State>

  package init(plan: WorkerPlan, connection: WorkerConnection, services: WorkerServices) {
    self.plan = plan
    self.connection = connection
    self.services = services
    caller = ServiceCaller(plan.name, module: plan.manifest.name)
    budget = services.events.subscriptionBudget()
    state = Mutex(State(socket: WorkerSocket(connection.socket ?? -1)))
  }

  // MARK: The supervisor's calls

  package func attach() {
    guard let socket = connection.socket else { return }
    let registration = connection.loop.register(socket, for: [.readable]) { [weak self] ready in
      self?.handle(ready)
    }
    guard let registration else {
      connection.handle.report(.breach(reason: "Its socket can't be watched."))
      return
    }
    state.withLock { $0.registration = registration }
    // A spare has sent HELLO long ago, so it is answered before any other work. To another worker
    // the host sends LOAD, and mostly CONFIGURE, before HELLO arrives. The worker then needn't wait
    // for them after its HELLO.
    if connection.isSpare {
      receive()
    } else {
      act { $0.session.loadAhead(plan.load, then: plan.configurationsAhead) }
    }
  }

  package func start() {
    // Called before START is sent, because the worker may write its state as soon as it receives
    // START.
    services.started(caller)
    act { $0.session.start() }
  }
  package func ping() { act { $0.session.ping() } }

  package func stop(deadline: Duration) {
    let milliseconds = Int(clamping: deadline.wholeMilliseconds)
    act { state in
      let actions = state.session.stop(deadlineMilliseconds: milliseconds)
      // A worker that was refused, or hasn't sent HELLO, gets no STOP. The host ends its stream
      // instead. Otherwise the supervisor would wait in vain until the deadline.
      if actions.isEmpty { state.socket.end() }
      return actions
    }
  }

  package func exited() {
    let (registration, subscriptions) = state.withLock { state in
      defer {
        state.registration = nil
        state.subscriptions = [:]
      }
      return (state.registration, Array(state.subscriptions.values))
    }
    if let registration { connection.loop.deregister(registration) }
    // Outside the lock. The positions are kept, so that the next worker continues there.
    for subscription in subscriptions { subscription.source.end(continues: true) }
  }

  /// Ends the link after the worker has ended. A further call does nothing.
  package func close(_ exit: ExitStatus) {
    // The number of the socket may be another file's after the first call.
    guard !withState(\.isClosed) else { return }
    // The last frames are processed, because they may contain events, results and the reason of the
    // worker's end.
    finishDraining()
    exited()
    report(dropped: withState { $0.records.takeRefused() })
    let (calls, waiting) = state.withLock { state in
      // Set under the lock that also removes the calls. A later call then sees that the link is
      // closed and doesn't wait forever.
      state.isClosed = true
      state.socket.release()
      defer {
        state.calls = [:]
        state.waiting = []
        state.queries = []
        state.parts = []
      }
      return (Array(state.calls.values), state.waiting)
    }
    let failure = WorkerError(
      .closed, "The worker of \(plan.name) ended during the call: \(exit).")
    // After the draining, because the drained frames may contain results of these calls.
    for call in calls { call.finish(.failure(failure)) }
    for waiter in waiting { waiter.resume(returning: false) }
    services.ended(caller)
    services.ended(self, exit)
  }

  // MARK: State

  /// Changes the state and performs the resulting actions. Any thread, outside the lock.
  func act(_ change: (inout State) -> [HostAction]) {
    for effect in effects(of: change) { perform(effect) }
  }

  /// Changes the state and sends the resulting frames. Returns the other actions, which the caller
  /// performs outside the lock. Returns none, and changes nothing, if the link is closed.
  func effects(of change: (inout State) -> [HostAction]) -> [HostAction] {
    state.withLock { $0.isClosed ? [] : settle(&$0, change(&$0)) }
  }

  /// Reads or changes the state under the lock, without sending or performing anything.
  func withState<Result: Sendable>(_ body: (inout sending State) -> sending Result) -> Result {
    state.withLock(body)
  }

  /// Sends the frames among the actions in their order. Returns the other actions. Called under the
  /// lock.
  private func settle(_ state: inout State, _ actions: [HostAction]) -> [HostAction] {
    var effects: [HostAction] = []
    do throws(WorkerSocket.Failure) {
      for action in actions {
        if case .send(let frame) = action {
          try state.socket.enqueue(refusedIfTooLarge(frame, state.socket))
        } else {
          effects.append(action)
        }
      }
      try state.socket.flush()
    } catch {
      if case .breach(let reason) = error { effects.append(.breach(reason)) }
    }
    // Set under the lock, so that the loop's interest always agrees with the state.
    if let registration = state.registration {
      var interest: LoopEvents = state.isReading ? [.readable] : []
      if state.socket.wantsToWrite { interest.insert(.writable) }
      connection.loop.setInterest(registration, interest)
    }
    planFlush(&state)
    resumeCongested(&state)
    return effects
  }

  /// Returns the frame, or an ERROR in place of a REPLY that the queue has no space for. A worker
  /// that asks for many answers but doesn't read them then gets the reason, and occupies no further
  /// memory.
  private func refusedIfTooLarge(_ frame: Frame, _ socket: WorkerSocket) -> Frame {
    guard frame.op == .reply, !socket.hasSpace(forBody: frame.body.count) else { return frame }
    caller.refusals.count("answers")
    let error = WorkerError(
      .overloaded,
      "The answer of \(frame.body.count) bytes has no room: \(socket.outboundBytes) bytes of answers "
        + "weren't read yet.")
    return Frame(.error, id: frame.id, body: error.json)
  }

  /// Sets a timer that tries again to send, if sending waits for something that the kernel doesn't
  /// report. Called under the lock.
  private func planFlush(_ state: inout State) {
    guard state.socket.isHeld, !state.isFlushPlanned else { return }
    state.isFlushPlanned = true
    connection.loop.schedule(after: Self.flushPause) { [weak self] in
      self?.act { state in
        state.isFlushPlanned = false
        return []
      }
    }
  }

  private func resumeCongested(_ state: inout State) {
    guard !state.congested.isEmpty, !state.socket.isCongested else { return }
    let ids = state.congested
    state.congested = []
    // In the loop's next round, because `pump` takes the lock that is held here.
    connection.loop.execute { [weak self] in for id in ids { self?.pump(id) } }
  }
}
