internal import AgentJSON
internal import AgentWorkerProtocol

extension ContractCheck {
  /// Tests `create` with settings that match the schema, and with settings that don't.
  func settings(of subject: CheckPlan.Subject) {
    guard !subject.variants.isEmpty else {
      return note(
        .skipped, "\(subject.name): settings",
        detail:
          "none could be made from the schema. Give the keys examples, or the process an example.")
    }
    for variant in subject.variants { take(variant, of: subject) }
    refuse(subject)
  }

  private func take(_ variant: CheckPlan.Variant, of subject: CheckPlan.Subject) {
    let what = "\(subject.name): create with \(variant.name)"
    var current: ModuleTestWorker?
    do throws(TrialFailure) {
      let worker = try worker([(subject.contribution, variant.settings)])
      current = worker
      try worker.create()
      note(.ok, what)
    } catch {
      fail(
        what, failure: error,
        advice:
          "Settings that the schema allows must be accepted; \"create\" only takes them. They were "
          + "\(variant.settings.text()).", worker: current)
    }
  }

  /// Tests settings of wrong types. A host never sends them, but a worker that they end would be
  /// ended by other settings too.
  private func refuse(_ subject: CheckPlan.Subject) {
    let what = "\(subject.name): create with wrong types"
    var current: ModuleTestWorker?
    do throws(TrialFailure) {
      let worker = try worker([(subject.contribution, subject.wrong)])
      current = worker
      try worker.create()
      note(.ok, what, detail: "they were taken")
    } catch .refused(_, let error) {
      note(.ok, what, detail: "they were refused: \(error)")
    } catch {
      fail(
        what, failure: error,
        advice: "Answer settings that you can't use with ERROR \"invalid_settings\".",
        worker: current)
    }
  }
}
