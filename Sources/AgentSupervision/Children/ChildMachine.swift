import Glibc

/// The life of one child: which state it is in and what has to be done next. It does nothing
/// itself; whoever drives it carries out the actions and says what came of them.
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
    /// When it was pinged last, while it hasn't answered.
    var pingedAt: LoopInstant?
  }

  struct Stopping: Sendable, Equatable {
    var stage: StopStage
    var purpose: Purpose
    var readySince: LoopInstant?
    /// When SIGTERM follows, while it was only asked.
    var deadline: LoopInstant?
  }

  /// The reason for a stop; it decides what follows the exit.
  enum Purpose: Sendable, Equatable {
    case stop
    case restart
    case broken(reason: String)
    case refused(reason: String)
    case ended(succeeded: Bool)
  }

  /// Whether a child starts its work as soon as it is ready.
  public enum StartMode: Sendable, Equatable {
    /// Tell it to start its work.
    case atOnce
    /// Wait for ``ChildMachine/release(at:)``; an end before that isn't followed by a restart.
    case held
  }

  let spec: ChildSpec
  var startMode: StartMode
  var history = RestartHistory()
  var random: @Sendable () -> Double
  let hindrance: @Sendable () -> Bool
  private(set) var internalState: State = .stopped

  /// How often the child was started again.
  public internal(set) var restarts = 0
  /// How its previous process ended.
  public internal(set) var lastExit: ExitStatus?
  /// Why its previous process ended, or why it is FAILED; `nil` when that was asked for.
  public internal(set) var reason: String?
  /// Whether it waits for its next start because the host lacked what children need when it ended.
  public internal(set) var isHindered = false

  /// A machine in the state `stopped`. `random` gives the jitter, uniform in 0..<1; `hindrance` says
  /// whether the host itself lacks what children need now: an end meanwhile doesn't count towards
  /// FAILED.
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

  /// Takes an input in and returns what has to be done. An input that the state has no use for
  /// changes nothing.
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
    case .timer(let timer): timerDue(timer, at: now)
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

  /// Whether it is stopped, or will be unless somebody starts it meanwhile.
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
    move(to: .starting)
    return [.schedule(.ready, after: timeouts.ready), .spawn]
  }
}
