internal import AgentSystem
internal import CSupervision
internal import Glibc
internal import Synchronization

/// Runs a program once, with input, from its start to its end. The program has a process group of
/// its own, which ends with it, and inherits only the given descriptors.
public final class ProgramRun: Sendable {
  /// The result of a run.
  public struct Outcome: Sendable, Equatable {
    public let exit: ExitStatus
    /// Its standard output and standard error, up to the limit.
    public let output: [UInt8]
    /// Whether it was stopped before its end, by a cancellation or by its time limit.
    public let wasStopped: Bool
  }

  /// Receives bytes that the program has written to one of its descriptors, in order, as they
  /// arrive. It is called on the program's own thread. No more output is read until it returns.
  public typealias Receiver = @Sendable (_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Void

  private enum State {
    case waiting
    case running(pid: Int32, pidfd: Int32, wake: Int32)
    case over
  }

  /// The destination of its output.
  private enum Writing {
    case kept(most: Int)
    case given([Int32], Receiver)
  }

  private let command: ChildCommand
  private let input: Int32
  private let writing: Writing
  private let grace: Duration
  private let limits: ProgramLimits
  private let state = Mutex(State.waiting)

  /// Makes a run that collects standard output and standard error together.
  /// - Parameters:
  ///   - input: the program's standard input. It must stay open until ``run()`` returns.
  ///   - maxOutput: the maximum size of the collected output in bytes. Further output is read and
  ///     dropped.
  public init(
    _ command: ChildCommand, input: Int32, maxOutput: Int, limits: ProgramLimits = ProgramLimits()
  ) {
    self.command = command
    self.input = input
    self.limits = limits
    writing = .kept(most: maxOutput)
    grace = .zero
  }

  /// Makes a run that passes output on.
  /// - Parameters:
  ///   - input: the program's standard input. It must stay open until ``run()`` returns.
  ///   - outputs: the descriptors that the program may write to.
  ///   - grace: the time from SIGTERM, when the task is cancelled, to SIGKILL.
  public init(
    _ command: ChildCommand, input: Int32, outputs: [Int32] = [1, 2], grace: Duration,
    limits: ProgramLimits = ProgramLimits(), receive: @escaping Receiver
  ) {
    self.command = command
    self.input = input
    self.limits = limits
    writing = .given(outputs, receive)
    self.grace = grace
  }

  /// Runs the program. Called once. If the task is cancelled, the process and its group are killed.
  /// With a grace period they get SIGTERM first.
  /// - Throws: `SpawnError` if the program can't be started.
  public func run() async throws -> Outcome {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        do throws(DetachedThread.StartError) {
          try DetachedThread.start("agent-program") { [self] in
            continuation.resume(with: Result { try runOnThisThread() })
          }
        } catch {
          continuation.resume(
            throwing: SpawnError(
              isPermanent: false, message: "No thread can be started for a program.",
              errno: error.number))
        }
      }
    } onCancel: {
      cancel()
    }
  }

  private func cancel() {
    state.withLock { state in
      switch state {
      case .running(let pid, let pidfd, let wake):
        // The wake-up comes before the signal. An exit after it is therefore known as a consequence
        // of the cancellation.
        var one: UInt64 = 1
        _ = write(wake, &one, MemoryLayout.size(ofValue: one))
        let signal = grace > .zero ? SIGTERM : SIGKILL
        _ = cs_pidfd_signal(pidfd, signal)
        _ = kill(-pid, signal)
      case .waiting: state = .over
      case .over: break
      }
    }
  }

  // MARK: On one thread: a child dies with the thread that started it

  /// Runs the program on the caller's thread, which it blocks until the program has ended. Called
  /// once, instead of ``run()``. The caller's task can't cancel it, so the program should have a time
  /// limit.
  ///
  /// No lock is held while the program is loaded, which may take any time on a file system that
  /// doesn't answer.
  /// - Throws: `SpawnError` if the program can't be started.
  package func runOnThisThread() throws(SpawnError) -> Outcome {
    cs_unblock_child_signal()
    let pipes = try ProgramPipes(groups)
    defer { pipes.closeHostEnds() }
    let wake = cs_eventfd()
    guard wake >= 0 else {
      // Read before other calls change it.
      let number = errno
      pipes.closeChildEnds()
      throw SpawnError(isPermanent: false, message: "No descriptor is left.", errno: number)
    }
    defer { close(wake) }
    let spawn: SpawnUnderWay
    do throws(SpawnError) {
      spawn = try begin(pipes, wake)
    } catch {
      pipes.closeChildEnds()
      throw error
    }
    pipes.closeChildEnds()
    let process = spawn.process
    defer { close(process.pidfd) }
    let (output, wasStopped) = collect(pipes, process: process, wake: wake)
    // The process is a zombie until it is reaped, so its group's number can't be reused yet.
    _ = kill(-process.pid, SIGKILL)
    state.withLock { $0 = .over }
    let exit = KnownChildren.ofThisProcess.reaping(process.pid) { process.reap() ?? .unknown }
    ProgramGroup(number: process.pid).waitUntilGone()
    // Only now: on a file system that doesn't answer, a program is loaded until its time is over.
    if !spawn.isLoading(), let failure = spawn.failure() { throw failure }
    return Outcome(exit: exit ?? .unknown, output: output, wasStopped: wasStopped)
  }

  /// The descriptors, grouped by the pipe that they share.
  private var groups: [[Int32]] {
    switch writing {
    case .kept: [[1, 2]]
    case .given(let outputs, _): outputs.map { [$0] }
    }
  }

  private func begin(_ pipes: ProgramPipes, _ wake: Int32) throws(SpawnError) -> SpawnUnderWay {
    let image = try CommandImage(command)
    var result = cs_result()
    var spawning: OpaquePointer?
    let isCancelled = state.withLock { state in
      if case .over = state { return true }
      KnownChildren.ofThisProcess.spawning {
        let list = [cs_descriptor(source: input, target: 0)] + pipes.childDescriptors
        spawning = list.withUnsafeBufferPointer { list in
          image.withRequest { request in
            request.descriptors = list.baseAddress
            request.descriptor_count = list.count
            request.data = limits.memory.map { UInt64(clamping: $0) } ?? 0
            return cs_spawn_begin(&request, &result)
          }
        }
        return spawning == nil ? nil : result.pid
      }
      if spawning != nil { state = .running(pid: result.pid, pidfd: result.pidfd, wake: wake) }
      return false
    }
    if isCancelled {
      throw SpawnError(isPermanent: false, message: "It was cancelled.", errno: ECANCELED)
    }
    guard let spawning else {
      throw SpawnError(result, command)
    }
    return SpawnUnderWay(
      process: SpawnedProcess(
        pid: result.pid, pidfd: result.pidfd, socket: nil, crash: nil, output: nil,
        startedAt: WallClock.milliseconds),
      spawning: spawning, command: command, known: .ofThisProcess)
  }

  /// Reads output until the process has ended. Output that is in the pipes by then is included.
  /// Later output of its children isn't.
  private func collect(
    _ pipes: ProgramPipes, process: SpawnedProcess, wake: Int32
  ) -> (output: [UInt8], wasStopped: Bool) {
    var output: [UInt8] = []
    var readers = pipes.readers
    var deadline: ContinuousClock.Instant?
    var overdue = limits.time.map { ContinuousClock.now + $0 }
    var maxOutput = limits.output ?? .max
    var received = 0
    while true {
      var list = [
        pollfd(fd: process.pidfd, events: Int16(POLLIN), revents: 0),
        // After a cancellation the descriptor stays readable, so it isn't polled again.
        pollfd(fd: deadline == nil ? wake : -1, events: Int16(POLLIN), revents: 0),
      ]
      list += readers.map { pollfd(fd: $0.isOpen ? $0.end : -1, events: Int16(POLLIN), revents: 0) }
      let next = [deadline, overdue].compactMap { $0 }.min()
      if poll(&list, nfds_t(list.count), milliseconds(until: next)) < 0, errno != EINTR {
        return (output, deadline != nil)
      }
      let hasEnded = list[0].revents != 0
      for (place, reader) in readers.enumerated() where reader.isOpen {
        guard hasEnded || list[place + 2].revents != 0 else { continue }
        readers[place].isOpen = reader.drain { bytes in
          received &+= bytes.count
          take(bytes, from: reader.descriptor, into: &output)
        }
      }
      // Once, like the time limit. Later output of its children is read and not counted.
      if received > maxOutput { (maxOutput, deadline) = (.max, .now) }
      if hasEnded { return (output, deadline != nil || list[1].revents != 0) }
      if list[1].revents != 0 { deadline = .now + grace }
      if let moment = overdue, moment <= .now {
        (overdue, deadline) = (nil, .now)
      }
      if let moment = deadline, moment <= .now {
        _ = cs_pidfd_signal(process.pidfd, SIGKILL)
        _ = kill(-process.pid, SIGKILL)
        // A process that hangs in the kernel survives the signal. Without a far deadline this loop
        // would never sleep.
        deadline = .now + .seconds(3600)
      }
    }
  }

  private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = (deadline - .now).clampedNanoseconds
    return Int32(clamping: left / 1_000_000 &+ 1)
  }

  private func take(_ bytes: ArraySlice<UInt8>, from descriptor: Int32, into output: inout [UInt8])
  {
    switch writing {
    case .kept(let most): output += bytes.prefix(max(0, most - output.count))
    case .given(_, let receive): receive(descriptor, bytes)
    }
  }
}
