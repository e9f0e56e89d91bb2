import AgentModuleLoader
import AgentWorkerProtocol

extension ModuleRunner {
  /// Stops every contribution. A second STOP is answered together with the first one, or at once if
  /// everything has stopped already.
  mutating func stop(_ id: UInt32) {
    stopping.append(id)
    if stopping.count > 1, missingStops == 0 {
      return connection.update { state, frames in frames.append(state.session.stopped(id)) }
    }
    guard stopping.count == 1 else { return }
    closePublications()
    // One for this function, which calls `stopped()` below. Without it, a module that has started
    // nothing would never be finished.
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
    closeSubscriptions()
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

  /// Closes the subscriptions that the module has left open. After `destroy` none of its callbacks
  /// may run. Events that still wait in the socket find no subscriber.
  private func closeSubscriptions() {
    let left = connection.update { state, frames in
      defer { state.subscribers = [:] }
      for id in state.subscribers.keys {
        if let frame = state.session.unsubscribe(id) { frames.append(frame) }
      }
      return state.subscribers
    }
    for (id, subscriber) in left.sorted(by: { $0.key < $1.key }) {
      subscriber.closed(UInt64(id), status: .closed, message: "The module has stopped.")
    }
  }

  /// Reports failure for events that wait for credit. After STOP the host may grant none.
  private func closePublications() {
    let waiting = connection.update { state, _ in
      let tokens = state.session.closePublications()
      return tokens.compactMap { state.publications.removeValue(forKey: $0) }
    }
    for accepted in waiting { accepted(.closed, "The worker is stopping.") }
  }
}
