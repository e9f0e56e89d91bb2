internal import AgentJSON
internal import AgentModules
internal import AgentSupervision
internal import AgentSystem
internal import AgentWorkerProtocol

extension ContractCheck {
  /// Starts two workers with the same settings; both must start. Then it tests calls and a double
  /// STOP with the first one, and the loss of the host with the second one.
  func sideBySide(_ subjects: [CheckPlan.Subject], _ name: String) {
    let contributions = subjects.compactMap { subject in
      subject.variants.first.map { (subject.contribution, $0.settings) }
    }
    guard contributions.count == subjects.count else { return }
    var first: ModuleTestWorker?
    var second: ModuleTestWorker?
    var what = "\(name): START"
    do throws(TrialFailure) {
      first = try begin(contributions)
      note(.ok, what, detail: "it is answered")
      what = "\(name): two at once"
      second = try begin(contributions)
      note(.ok, what, detail: "the second one starts beside the first")
    } catch {
      fail(what, failure: error, advice: Self.startAdvice, worker: second ?? first)
    }
    if let first {
      ping(first, name)
      let survivor = calls(of: subjects, on: first, contributions)
      stop(survivor ?? first, name, isBroken: survivor == nil)
    }
    if let second {
      if subjects.contains(where: { $0.contribution.kind.isProcess }) { listen(to: second) }
      problems(second, name)
      hangUp(second, name)
    }
  }

  private static let startAdvice =
    "Start with any settings that the schema allows, take nothing exclusive in \"create\", and try "
    + "again by yourself what can't be reached yet."

  /// Starts a worker and its contributions.
  func begin(_ contributions: [(Contribution, JSONValue)]) throws(TrialFailure) -> ModuleTestWorker
  {
    let worker = try worker(contributions)
    try worker.create()
    try worker.start()
    return worker
  }

  private func ping(_ worker: ModuleTestWorker, _ name: String) {
    let what = "\(name): PING"
    do throws(TrialFailure) {
      note(.ok, what, detail: "answered after \(try worker.ping().wholeMilliseconds) ms")
    } catch {
      fail(
        what, failure: error,
        advice:
          "Answer it from where the work is done, and don't block there: call heartbeat() in long "
          + "computations.", worker: worker)
    }
  }

  /// Gives the worker 300 ms to publish or to subscribe.
  private func listen(to worker: ModuleTestWorker) {
    _ = try? worker.expect("events", within: .milliseconds(300)) {
      $0.published > 0 || !$0.problems.isEmpty ? true : nil
    }
  }

  /// Notes requests of the worker that a host would refuse.
  private func problems(_ worker: ModuleTestWorker, _ name: String) {
    if worker.seen.published > 0 || !worker.seen.problems.isEmpty {
      note(
        worker.seen.problems.isEmpty ? .ok : .failed, "\(name): events",
        detail: worker.seen.problems.first ?? "\(worker.seen.published) were published")
    }
  }

  private func stop(_ worker: ModuleTestWorker, _ name: String, isBroken: Bool) {
    let what = "\(name): STOP, twice"
    guard !isBroken else { return note(.skipped, what, detail: "the worker is gone") }
    guard let exit = worker.stop(times: 2) else {
      return note(
        .failed, what,
        detail:
          "The process still runs after \(limits.stop), STOP's deadline. Stop every contribution and "
          + "exit, also while something is under way.\(worker.lastWords)")
    }
    if exit.isSuccess, worker.seen.isStopAnswered {
      return note(.ok, what, detail: "it is answered, and the process exits with 0")
    }
    var seen =
      exit.isSuccess ? "The process exits with 0 without an answer." : "The worker \(exit)."
    if let breach = worker.seen.breach { seen += " It broke the protocol: \(breach)" }
    note(
      .failed, what,
      detail: "\(seen) Answer each STOP with REPLY, then exit with 0.\(worker.lastWords)")
  }

  private func hangUp(_ worker: ModuleTestWorker, _ name: String) {
    let what = "\(name): end of file"
    worker.hangUp()
    switch worker.awaitExit(limits.hangUp) {
    case .exited: note(.ok, what, detail: "the process ends with its host")
    case nil:
      note(
        .failed, what,
        detail:
          "The process lives on \(limits.hangUp) after its socket ended. Exit when it does: the host "
          + "is gone.")
    case .some(let exit):
      note(
        .failed, what, detail: "The worker \(exit). Exit when the socket ends.\(worker.lastWords)")
    }
  }
}
