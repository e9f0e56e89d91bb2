internal import AgentJSON
internal import AgentModules
internal import AgentSupervision
internal import AgentWorkerProtocol
internal import AgentWorkers
internal import JSONSchema

extension ContractCheck {
  /// Tests the calls of all contributions that can be called. When a call ends the worker, the next
  /// test gets a new one.
  /// - Returns: the worker that runs at the end, or `nil` if there is none.
  func calls(
    of subjects: [CheckPlan.Subject], on worker: ModuleTestWorker,
    _ contributions: [(Contribution, JSONValue)]
  ) -> ModuleTestWorker? {
    var worker = worker
    for subject in subjects where !subject.contribution.kind.isProcess {
      for examine in [good, bad, cancelled, leaks] {
        if worker.exit != nil || worker.seen.breach != nil {
          guard let another = try? begin(contributions) else { return nil }
          worker = another
        }
        examine(subject, worker)
      }
    }
    return worker.exit == nil ? worker : nil
  }

  private func good(_ subject: CheckPlan.Subject, _ worker: ModuleTestWorker) {
    let what = "\(subject.name): a call"
    guard let input = subject.input else {
      return note(
        .skipped, what,
        detail: "no input could be made from its schema. Give it an \"example\" in module.json.")
    }
    do throws(TrialFailure) {
      switch try worker.invoke(subject.contribution.wireName, input.bytes()) {
      case .failure(let error) where error.code == .invalidArgument:
        note(
          .failed, what,
          detail: "\(input.text()) was refused: \(error) Describe the valid inputs in the schema, "
            + "or add an \"example\" to module.json.")
      case .failure(let error):
        note(.ok, what, detail: "answered with ERROR \(error.code.name): \(error)")
      case .success(let output): compare(output, with: subject, what)
      }
    } catch {
      fail(what, failure: error, advice: Self.callAdvice, worker: worker)
    }
  }

  private func bad(_ subject: CheckPlan.Subject, _ worker: ModuleTestWorker) {
    let what = "\(subject.name): bad input"
    for (name, input) in CheckPlan.badInputs {
      do throws(TrialFailure) {
        guard case .success(let output) = try worker.invoke(subject.contribution.wireName, input)
        else { continue }
        if let difference = difference(output, subject) {
          return note(
            .failed, what, detail: "the answer to \(name) isn't valid: \(difference)")
        }
      } catch {
        return fail("\(what), \(name)", failure: error, advice: Self.callAdvice, worker: worker)
      }
    }
    note(.ok, what, detail: "\(CheckPlan.badInputs.count) inputs were answered with REPLY or ERROR")
  }

  private static let callAdvice =
    "Answer every call once, before its deadline, with REPLY or ERROR; ERROR \"invalid_argument\" "
    + "for an input that you can't use."

  private func cancelled(_ subject: CheckPlan.Subject, _ worker: ModuleTestWorker) {
    let what = "\(subject.name): CANCEL"
    let input = subject.inputToRepeat.bytes()
    do throws(TrialFailure) {
      let result = try worker.invoke(subject.contribution.wireName, input, cancelling: true)
      if case .failure(let error) = result {
        note(.ok, what, detail: "the call ends with ERROR \(error.code.name)")
      } else {
        note(.ok, what, detail: "the call ends with REPLY")
      }
    } catch {
      fail(
        what, failure: error, advice: "The end of a call is sent after CANCEL too.", worker: worker)
    }
  }

  // MARK: Leaks

  private func leaks(_ subject: CheckPlan.Subject, _ worker: ModuleTestWorker) {
    let what = "\(subject.name): descriptors"
    let input = subject.inputToRepeat.bytes()
    do throws(TrialFailure) {
      // The first calls may open what later ones share, so these descriptors don't count as leaks.
      _ = try count(10, subject: subject, input: input, worker: worker)
      guard let before = worker.descriptors else {
        return note(.skipped, what, detail: "/proc/\(worker.pid)/fd can't be read")
      }
      let calls = try count(limits.calls, subject: subject, input: input, worker: worker)
      let after = try settled(before, worker)
      // Two more than before are no leak: the runtime and libraries open some of their own.
      guard after <= before + 2 else {
        return note(
          .failed, what,
          detail:
            "\(after - before) more are open after \(calls) calls. Close what a call opens, also "
            + "when it fails.")
      }
      note(.ok, what, detail: "\(after) are open after \(calls) calls, \(before) were before")
    } catch {
      fail(what, failure: error, advice: Self.callAdvice, worker: worker)
    }
  }

  private func count(
    _ calls: Int, subject: CheckPlan.Subject, input: [UInt8], worker: ModuleTestWorker
  ) throws(TrialFailure) -> Int {
    let end = ContinuousClock().now + limits.callsTogether
    for number in 0..<calls {
      _ = try worker.invoke(subject.contribution.wireName, input)
      if ContinuousClock().now > end { return number + 1 }
    }
    return calls
  }

  /// Returns the number of open descriptors after at most 20 pauses. A module may close them
  /// shortly after the end of a call.
  private func settled(_ before: Int, _ worker: ModuleTestWorker) throws(TrialFailure) -> Int {
    for _ in 0..<20 {
      let now = worker.descriptors ?? before
      if now <= before { return now }
      _ = try worker.ping()
      _ = try? worker.expect("nothing", within: .milliseconds(50)) { _ -> Int? in nil }
    }
    return worker.descriptors ?? before
  }

  // MARK: Outputs

  private func compare(_ output: [UInt8], with subject: CheckPlan.Subject, _ what: String) {
    if let difference = difference(output, subject) {
      return note(.failed, what, detail: "The output isn't valid: \(difference)")
    }
    note(
      .ok, what,
      detail: "answered with REPLY\(subject.outputs.isEmpty ? "" : ", as its schema says")")
  }

  /// Returns the reason why an output doesn't match the schemas of its kind or its manifest, or
  /// `nil` if it does.
  private func difference(_ output: [UInt8], _ subject: CheckPlan.Subject) -> String? {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: output.isEmpty ? Array("null".utf8) : output)
    } catch {
      return "it isn't JSON: \(error)"
    }
    for schema in subject.outputs {
      guard let compiled = SharedSchemas.compile(schema) else { continue }
      let failure = compiled.validate(document.root).first { $0.severity == .error }
      guard let failure else { continue }
      let path = failure.instance.dotted
      return "\(path.isEmpty ? "" : "\(path): ")\(failure.message) It was "
        + "\(document.root.value.text().prefix(200))."
    }
    return subject.contribution.kind == .route ? difference(ofAnswer: document, subject) : nil
  }

  /// Returns the reason why a route's answer can't be sent or doesn't match the manifest, or `nil`
  /// if there is none.
  private func difference(ofAnswer document: JSONDocument, _ subject: CheckPlan.Subject) -> String?
  {
    do {
      _ = try ModuleReply(document.root.value)
    } catch {
      return error.message
    }
    guard let json = document.root["json"], let promised = subject.contribution.output,
      let compiled = SharedSchemas.compile(promised),
      let failure = compiled.validate(json).first(where: { $0.severity == .error })
    else { return nil }
    return "the body: \(failure.message)"
  }
}
