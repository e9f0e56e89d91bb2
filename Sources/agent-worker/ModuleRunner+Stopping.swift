import AgentModuleLoader
import AgentWorkerProtocol

extension ModuleRunner {
  /// Stops every contribution; a second STOP is answered together with the first, or when all has
  /// stopped already, at once.
  mutating func stop(_ id: UInt32) {
    stopping.append(id)
    if stopping.count > 1, missingStops == 0 {
      return connection.update { state, frames in frames.append(state.session.stopped(id)) }
    }
    guard stopping.count == 1 else { return }
    closePublications()
    missingStops = 1
    for name in order.reversed() where running[name]?.isStarted == true {
      missingStops += 1
      running[name]?.instance.stop { [thread] in thread.post { $0.stopped() } }
    }
    stopped()
  }

  private mutating func stopped() {
    missingStops -= 1
    guard missingStops == 0 else { return }
    for name in order.reversed() { running[name]?.instance.destroy() }
    connection.update { [stopping] state, frames in
      for call in state.session.openInvocations {
        let error = WorkerError(.closed, "The module has stopped.")
        if let frame = state.session.finish(call, .failure(error)) { frames.append(frame) }
      }
      for id in stopping { frames.append(state.session.stopped(id)) }
    }
    connection.end()
  }

  /// Events that wait for credit would wait until the end.
  private func closePublications() {
    let waiting = connection.update { state, _ in
      let tokens = state.session.closePublications()
      return tokens.compactMap { state.publications.removeValue(forKey: $0) }
    }
    for accepted in waiting { accepted(.closed, "The worker is stopping.") }
  }
}
