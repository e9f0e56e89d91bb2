import Glibc

/// The state machine of one child: its state, and the actions that each input requires. It performs
/// no action itself. The caller carries the actions out and reports their results as inputs.
public struct ChildMachine: Sendable {
  enum State: Sendable, Equatable {
    case stopped
    case starting
    case running(Running)
    case stopping(Stopping)
    case backingOff(until: LoopInstant)
    case failed(reason: String)
    case finished(succeeded: Bool)
  }

  struct Running: Sendable, Equatable {
    var since: LoopInstant
    var isStarted = false
    /// Whether the child hasn't answered the last ping.
    var isPinged = false
  }

  struct Stopping: Sendable, Equatable {
    var stage: StopStage
    var purpose: Purpose
    var readySince: LoopInstant?
    /// The time of SIGTERM, as long as only STOP was sent.
    var deadline: LoopInstant?
  }

  /// The reason for a stop. It decides the transition at the exit.
  enum Purpose: Sendable, Equatable {
    case stop
    case restart
    case broken(reason: String)
    case refused(reason: String)
    case ended(succeeded: Bool)
  }

  /// Whether a child starts its work as soon as it is ready.
  public enum StartMode: Sendable, Equatable {
    /// The child gets START as soon as it is ready.
    case atOnce
    /// The child gets START after ``ChildMachine/release(at:)``. If it ends before that, it isn't
    /// restarted.
    case held
  }

  let spec: ChildSpec
  var startMode: StartMode
  var history = RestartHistory()
  var random: @Sendable () -> Double
  let hindrance: @Sendable () -> Bool
  private(set) var internalState: State = .stopped
  /// The timers that were due for a silent child, which is looked at once more.
  var lookedAt: Set<ChildTimer> = []

  /// The number of restarts.
  public internal(set) var restarts = 0
  /// The exit of the previous process.
  public internal(set) var lastExit: ExitStatus?
  /// The reason for the end of the previous process or for FAILED. `nil` means that the end was
  /// requested.
  public internal(set) var reason: String?
  /// Whether the next start waits because the host lacked what children need when this child ended.
  public internal(set) var isHindered = false

  /// Makes a machine in the state `stopped`.
  /// - Parameters:
  ///   - hindrance: whether the host itself lacks what children need now. An end at such a time
  ///     doesn't count towards FAILED.
  ///   - random: the jitter, uniform in 0..<1.
  public init(
    _ spec: ChildSpec, startMode: StartMode = .atOnce,
    hindrance: @escaping @Sendable () -> Bool = { false },
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.spec = spec
    self.startMode = startMode
    self.hindrance = hindrance
    self.random = random
  }

  var restart: RestartPolicy { spec.restart }
  var timeouts: ChildTimeouts { spec.timeouts }

  /// The state as others see it.
  public var state: ChildState {
    switch internalState {
    case .stopped: .stopped
    case .starting: .starting
    case .running(let running): .running(started: running.isStarted)
    case .stopping(let stopping): .stopping(stopping.stage)
    case .backingOff(let until): .backingOff(until: until)
    case .failed(let reason): .failed(reason: reason)
    case .finished(let succeeded): .finished(succeeded: succeeded)
    }
  }

  /// Processes an input and returns the actions that it requires. An input that doesn't apply to
  /// the present state changes nothing.
  public mutating func receive(_ input: ChildInput, at now: LoopInstant) -> [ChildAction] {
    switch input {
    case .startRequested: startRequested()
    case .stopRequested(let deadline): stopRequested(deadline: deadline, at: now)
    case .restartRequested: restartRequested(at: now)
    case .retryRequested: retryRequested()
    case .spawned: []
    case .spawnFailed(let reason, let isPermanent):
      spawnFailed(reason, isPermanent: isPermanent, at: now)
    case .reported(let report): reported(report, at: now)
    case .exited(let status): exited(status, at: now)
    case .timer(let timer): timerDue(timer)
    case .limitExceeded(let message): limitExceeded(message)
    }
  }

  /// Ends the hold of ``StartMode/held``.
  public mutating func release(at now: LoopInstant) -> [ChildAction] {
    guard startMode == .held else { return [] }
    startMode = .atOnce
    guard case .running = internalState else { return [] }
    return startWork()
  }

  mutating func move(to state: State) {
    internalState = state
  }

  /// Whether the child is stopped, or will be without a further request.
  var isHeadedForStop: Bool {
    switch internalState {
    case .stopped: true
    case .stopping(let stopping): stopping.purpose == .stop
    case .starting, .running, .backingOff, .failed, .finished: false
    }
  }
}

// MARK: What people ask for

extension ChildMachine {
  private mutating func startRequested() -> [ChildAction] {
    switch internalState {
    case .stopped, .failed, .finished:
      return spawn()
    case .backingOff:
      return [.cancelTimers] + spawn()
    case .stopping(var stopping) where stopping.purpose == .stop:
      stopping.purpose = .restart
      move(to: .stopping(stopping))
      return []
    case .starting, .running, .stopping:
      return []
    }
  }

  private mutating func retryRequested() -> [ChildAction] {
    history.forget()
    return startRequested()
  }

  private mutating func restartRequested(at now: LoopInstant) -> [ChildAction] {
    switch internalState {
    case .stopped, .failed, .finished, .backingOff:
      return startRequested()
    case .starting, .running:
      return ask(for: .restart, reason: nil, at: now)
    case .stopping(var stopping):
      stopping.purpose = .restart
      move(to: .stopping(stopping))
      return []
    }
  }

  private mutating func stopRequested(
    deadline: Duration?, at now: LoopInstant
  ) -> [ChildAction] {
    switch internalState {
    case .stopped:
      return []
    case .failed, .finished, .backingOff:
      isHindered = false
      move(to: .stopped)
      return [.cancelTimers, .report(.stopped)]
    case .starting, .running:
      return ask(for: .stop, reason: nil, deadline: deadline, at: now)
    case .stopping(var stopping):
      stopping.purpose = .stop
      let isSooner = deadline.map { limit in
        stopping.deadline.map { now + limit < $0 } ?? false
      }
      guard let deadline, isSooner == true else {
        move(to: .stopping(stopping))
        return []
      }
      // The later request is more urgent: usually a shutdown.
      stopping.deadline = now + deadline
      move(to: .stopping(stopping))
      return [.schedule(.stop, after: deadline)]
    }
  }

  mutating func spawn() -> [ChildAction] {
    isHindered = false
    lookedAt = []
    move(to: .starting)
    return [.schedule(.ready, after: timeouts.ready), .spawn]
  }
}
