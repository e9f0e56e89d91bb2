internal import AgentEvents
internal import AgentJSON
internal import AgentModules
package import AgentSupervision
internal import AgentSystem
internal import AgentWorkerProtocol
internal import DequeModule
internal import Synchronization

/// Joins one worker process to the host: frames on its socket become reports to the supervisor,
/// events on the bus, log records and results of calls.
///
/// The supervisor and the loop call it on the loop's thread. `invoke` and the bus may call from any
/// thread. The actions of a frame run outside of the lock.
package final class WorkerLink: WorkerChannel {
  struct State {
    var socket: WorkerSocket
    var session = HostSession()
    var registration: LoopRegistration?
    var subscriptions: [UInt32: OpenSource] = [:]
    var calls: [UInt32: PendingCall] = [:]
    var waiting: [CheckedContinuation<Bool, Never>] = []
    var isClosed = false
    /// The rate of LOG: as much as the worker may print.
    var records = RateLimit()
    /// The rate of frames that carry nothing.
    var frames = RateLimit(WorkerLink.frameLimits)
    /// Whether reading pauses, because frames came too fast.
    var isPaused = false
    /// Whether what the launcher wrote first into the crash pipe has been read.
    var hasTakenRecord = false
    /// Whether what was read is still being looked at, and nothing more is read meanwhile.
    var hasBacklog = false
    /// The long frame that is being parsed. Nothing more is read meanwhile.
    var large: LargeFrame?
    /// Its bytes, until they count as those of a call or of events.
    var parsing = 0
    /// Whether the process is gone and the rest of its stream is read at once.
    var isDraining = false
    /// The bytes of PUBLISH that came from there.
    var drainedEvents = 0
    /// Parts of a PUBLISH, which are looked at before anything that comes later.
    var parts: Deque<Frame> = []
    /// The bytes of PUBLISH that aren't stored yet.
    var publishing = 0
    /// Whether the host reports it alive itself, because its answers to pings aren't read.
    var isVouchedFor = false
    /// The bytes of each CALL that isn't answered.
    var asked: [UInt32: Int] = [:]
    /// The sum of those.
    var asking = 0
    /// Queries that wait for others of this worker to be answered.
    var queries: Deque<(id: UInt32, input: [UInt8])> = []
    var runningQueries = 0
    /// Subscriptions that wait until there is less to send.
    var congested: Set<UInt32> = []
    /// Whether sending is tried again in a moment.
    var isFlushPlanned = false

    /// Whether so much is being stored that nothing more is taken in.
    var isHeldBack: Bool { publishing > WorkerLink.maxPublishing && !isDraining }
    /// Whether the worker's frames wait for the host.
    var isKeptWaiting: Bool { isHeldBack || large != nil }
    /// Whether the socket is read.
    var isReading: Bool { !isPaused && !hasBacklog && !isKeptWaiting }
  }

  package let plan: WorkerPlan
  package let connection: WorkerConnection
  let services: WorkerServices
  let caller: ServiceCaller
  /// What its subscriptions hold.
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
    // A spare has said HELLO long ago: it is answered before anything else is done. Another worker
    // finds LOAD, and mostly CONFIGURE, when it has said it.
    if connection.isSpare {
      receive()
    } else {
      act { $0.session.loadAhead(plan.load, then: plan.configurationsAhead) }
    }
  }

  package func start() {
    // Before START is sent: the worker may write its state as soon as it has it.
    services.started(caller)
    act { $0.session.start() }
  }
  package func ping() { act { $0.session.ping() } }

  package func stop(deadline: Duration) {
    let milliseconds = Int(clamping: deadline.wholeMilliseconds)
    act { state in
      let actions = state.session.stop(deadlineMilliseconds: milliseconds)
      // A worker that was refused, or hasn't said HELLO, gets the end of its stream: it would
      // be waited for in vain until the deadline.
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
    // Outside of the lock, and with their positions kept: the next worker goes on from there.
    for subscription in subscriptions { subscription.source.end(continues: true) }
  }

  package func close(_ exit: ExitStatus) {
    // The worker's last frames still count: events, results, the reason of its end.
    finishDraining()
    exited()
    report(dropped: withState { $0.records.takeRefused() })
    let (calls, waiting) = state.withLock { state in
      // Under the lock together with taking the calls: a later call sees it and isn't kept for
      // ever.
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
    // After the draining, which may have brought the results of some.
    for call in calls { call.finish(.failure(failure)) }
    for waiter in waiting { waiter.resume(returning: false) }
    services.ended(caller)
    // A crash report begins behind the launcher's record, so that has to be taken first.
    takeSandboxRecord()
    services.ended(self, exit)
  }

  // MARK: State

  /// Changes the state and does what follows from it.
  func act(_ change: (inout State) -> [HostAction]) {
    for effect in effects(of: change) { perform(effect) }
  }

  /// Changes the state, and returns what follows from it and is still to be done.
  func effects(of change: (inout State) -> [HostAction]) -> [HostAction] {
    state.withLock { $0.isClosed ? [] : settle(&$0, change(&$0)) }
  }

  /// Reads or changes the state without anything following.
  func withState<Result: Sendable>(_ body: (inout sending State) -> sending Result) -> Result {
    state.withLock(body)
  }

  /// Sends what is to be sent, in order; returns the actions that remain.
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
    // Under the lock, so that the interest agrees with the state that it follows from.
    if let registration = state.registration {
      var interest: LoopEvents = state.isReading ? [.readable] : []
      if state.socket.wantsToWrite { interest.insert(.writable) }
      connection.loop.setInterest(registration, interest)
    }
    planFlush(&state)
    resumeCongested(&state)
    return effects
  }

  /// An answer that there is no space for becomes a refusal: who asks for much and reads nothing
  /// learns why, and costs no more.
  private func refusedIfTooLarge(_ frame: Frame, _ socket: WorkerSocket) -> Frame {
    guard frame.op == .reply, !socket.hasSpace(forBody: frame.body.count) else { return frame }
    caller.refusals.count("answers")
    let error = WorkerError(
      .overloaded,
      "The answer of \(frame.body.count) bytes has no room: \(socket.outboundBytes) bytes of answers "
        + "weren't read yet.")
    return Frame(.error, id: frame.id, body: error.json)
  }

  /// The kernel doesn't say when the worker has read what is in flight.
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
    // In the next round: this is under the lock, which `pump` takes.
    connection.loop.execute { [weak self] in for id in ids { self?.pump(id) } }
  }
}
