internal import AgentJSON
internal import AgentSupervision
internal import AgentSystem
internal import AgentWorkerProtocol
internal import AgentWorkers
internal import Glibc

extension ModuleTestWorker {
  /// Performs the handshake: HELLO, LOAD, LOADED.
  func load() throws(TrialFailure) -> Loaded {
    _ = try expect("HELLO", within: limits.start) { $0.hello }
    act { $0.load(plan.load) }
    let loaded = try expect("LOADED", within: limits.start) { $0.loaded }
    let record = plan.reportsSandbox ? SandboxRecord.take(from: channel.crash) : nil
    return loaded.contained(as: record, isExpected: plan.reportsSandbox)
  }

  /// Performs all steps up to READY, with `create` of every planned contribution. It sends
  /// CONFIGURE without waiting for LOADED, as a host does with a known module.
  func create() throws(TrialFailure) {
    _ = try expect("HELLO", within: limits.start) { $0.hello }
    act { $0.load(plan.load, then: plan.configurations) }
    _ = try expect("LOADED", within: limits.start) { $0.loaded }
    try expect("READY", within: limits.answer) { $0.isReady ? () : nil }
  }

  /// Starts every contribution and waits for the answer.
  func start() throws(TrialFailure) {
    sendStart()
    try expect("The answer to START", within: limits.answer) { $0.isStarted ? () : nil }
  }

  /// Sends PING and returns the time until the answer.
  func ping() throws(TrialFailure) -> Duration {
    let before = seen.pongs
    let began = ContinuousClock().now
    act { $0.ping() }
    try expect("The answer to PING", within: limits.ping) { $0.pongs > before ? () : nil }
    return ContinuousClock().now - began
  }

  /// Calls a contribution and returns the end of the call. With `cancelling`, it cancels the call
  /// at once.
  func invoke(
    _ contribution: ContributionName, _ input: [UInt8], cancelling: Bool = false
  ) throws(TrialFailure) -> Result<[UInt8], WorkerError> {
    let deadline = Timestamp.now().adding(limits.answer.wholeMilliseconds)
    let call = Invoke(contribution: contribution, input: input, deadline: deadline)
    guard let id = begin(call) else { throw .notStarted("it isn't running.") }
    if cancelling { act { $0.cancel(id) } }
    defer { seen.results[id] = nil }
    return try expect("The end of a call", within: limits.answer) { $0.results[id] }
  }

  /// Sends STOP `times` times.
  /// - Returns: the exit of the process, or `nil` if it still runs after the deadline.
  func stop(times: Int) -> ExitStatus? {
    let milliseconds = Int(clamping: limits.stop.wholeMilliseconds)
    for _ in 0..<times { act { $0.stop(deadlineMilliseconds: milliseconds) } }
    return awaitExit(limits.stop)
  }

  /// The number of open descriptors of the process, or `nil` if the kernel denies access to it.
  var descriptors: Int? {
    guard let directory = opendir("/proc/\(pid)/fd") else { return nil }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
  }
}
