internal import CSupervision
internal import Glibc
internal import Synchronization

/// Runs a program once, from its start to its end, with something to read: in a process group of its
/// own that doesn't outlive it, with nothing inherited but what is given.
public final class ProgramRun: Sendable {
  /// How it ended.
  public struct Outcome: Sendable, Equatable {
    /// How the process ended.
    public let exit: ExitStatus
    /// What it wrote to standard output and standard error, as far as it was kept.
    public let output: [UInt8]
  }

  private enum State {
    case waiting
    case running(pid: Int32, pidfd: Int32)
    case over
  }

  private let command: ChildCommand
  private let input: Int32
  private let mostOutput: Int
  private let state = Mutex(State.waiting)

  /// - Parameters:
  ///   - input: what it finds as its standard input; must stay open until ``run()`` returns.
  ///   - mostOutput: how many bytes of its output are kept; what comes after is read and dropped.
  public init(_ command: ChildCommand, input: Int32, mostOutput: Int) {
    self.command = command
    self.input = input
    self.mostOutput = mostOutput
  }

  /// Runs it, once. When the task is cancelled the process and its group are killed.
  /// - Throws: `SpawnError` when it can't be started.
  public func run() async throws -> Outcome {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        do {
          try ProgramThread.start { [self] in
            continuation.resume(with: Result { try runToEnd() })
          }
        } catch {
          continuation.resume(throwing: error)
        }
      }
    } onCancel: {
      cancel()
    }
  }

  private func cancel() {
    state.withLock { state in
      switch state {
      case .running(let pid, let pidfd):
        _ = cs_pidfd_signal(pidfd, SIGKILL)
        _ = kill(-pid, SIGKILL)
      case .waiting: state = .over
      case .over: break
      }
    }
  }

  // MARK: On a thread of its own: a child dies with the thread that started it

  private func runToEnd() throws(SpawnError) -> Outcome {
    var ends: [Int32] = [-1, -1]
    guard cs_pipe(&ends) == 0 else {
      throw SpawnError(isPermanent: false, message: "No pipe can be made.", errno: errno)
    }
    defer { close(ends[0]) }
    let process: cs_result
    do throws(SpawnError) {
      process = try spawn(output: ends[1])
    } catch {
      close(ends[1])
      throw error
    }
    close(ends[1])
    defer { close(process.pidfd) }
    let output = collect(from: ends[0], until: process.pidfd)
    // The process is a zombie now, so that the number of its group is still its own.
    _ = kill(-process.pid, SIGKILL)
    state.withLock { $0 = .over }
    let exit = KnownChildren.ofThisProcess.reaping(process.pid) { () -> ExitStatus? in
      var code: Int32 = 0
      var status: Int32 = 0
      return cs_reap(process.pidfd, &code, &status) == 1
        ? ExitStatus(code: code, status: status) : .unknown
    }
    return Outcome(exit: exit ?? .unknown, output: output)
  }

  private func spawn(output: Int32) throws(SpawnError) -> cs_result {
    let executable = try ExecutablePath.find(command)
    var result = cs_result()
    var spawning: OpaquePointer?
    let isCancelled = state.withLock { state in
      if case .over = state { return true }
      KnownChildren.ofThisProcess.spawning {
        let list = [
          cs_descriptor(source: input, target: 0), cs_descriptor(source: output, target: 1),
          cs_descriptor(source: output, target: 2),
        ]
        spawning = list.withUnsafeBufferPointer { list in
          CommandImage(executable: executable, command).withRequest { request in
            request.descriptors = list.baseAddress
            request.descriptor_count = list.count
            return cs_spawn_begin(&request, &result)
          }
        }
        return spawning == nil ? nil : result.pid
      }
      if spawning != nil { state = .running(pid: result.pid, pidfd: result.pidfd) }
      return false
    }
    if isCancelled {
      throw SpawnError(isPermanent: false, message: "It was cancelled.", errno: ECANCELED)
    }
    guard let spawning else {
      throw SpawnError(stage: Int(result.stage), errno: result.error, executable, command)
    }
    guard cs_spawn_finish(spawning, &result) == 0 else {
      state.withLock { $0 = .over }
      // It is reaped already.
      _ = KnownChildren.ofThisProcess.reaping(result.pid) { true }
      close(result.pidfd)
      throw SpawnError(stage: Int(result.stage), errno: result.error, executable, command)
    }
    return result
  }

  /// Reads until the process has ended. What is left in the pipe then is taken; what its children
  /// would write later isn't waited for.
  private func collect(from pipe: Int32, until pidfd: Int32) -> [UInt8] {
    _ = fcntl(pipe, F_SETFL, O_NONBLOCK)
    var output: [UInt8] = []
    var isOpen = true
    while true {
      var list = [
        pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen ? pipe : -1, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&list, 2, -1) < 0, errno != EINTR { return output }
      if isOpen, list[1].revents != 0 || list[0].revents != 0 { isOpen = drain(pipe, &output) }
      if list[0].revents != 0 { return output }
    }
  }

  /// Takes what is there; false at the end of the pipe.
  private func drain(_ pipe: Int32, _ output: inout [UInt8]) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 4096)
    // A bound, so that who writes without end doesn't hide its own end.
    for _ in 0..<64 {
      let count = read(pipe, &chunk, chunk.count)
      if count == 0 { return false }
      guard count > 0 else { return errno == EAGAIN || errno == EINTR }
      output += chunk[..<min(count, max(0, mostOutput - output.count))]
    }
    return true
  }
}

/// A thread for one program.
private enum ProgramThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func start(_ body: @escaping @Sendable () -> Void) throws(SpawnError) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let outcome = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        cs_begin_thread("agent-program")
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard outcome == 0 else {
      work.release()
      throw SpawnError(
        isPermanent: false, message: "No thread can be started for a program.", errno: outcome)
    }
    pthread_detach(thread)
  }
}
