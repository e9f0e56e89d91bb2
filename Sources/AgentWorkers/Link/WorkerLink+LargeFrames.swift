internal import AgentSupervision
internal import AgentWorkerProtocol
internal import Dispatch

/// Long frames are read, parsed and answered on a thread that serves the long frames of all workers.
///
/// Rationale: a CALL may have megabytes, and while they were parsed on the loop's thread no other
/// worker was served. It is one thread for all of them, because a parsed document takes several times
/// the space of its text: the host holds one at a time, whatever the number of workers. Each worker
/// has one frame there at most, so a flood of one delays the long frames of another by one frame.
extension WorkerLink {
  /// The longest body that is parsed on the loop's thread, in bytes.
  static let maxOnLoop = 64 << 10

  /// Has a frame parsed. The worker isn't read until that is over, so its frames keep their order.
  /// On the loop's thread.
  func parseElsewhere(_ large: LargeFrame) {
    // The answers to pings lie behind it, and the frames of others may come first.
    vouchInAMoment()
    services.largeFrames.async { [self] in
      guard large.begin() else { return }
      parse(large)
      connection.loop.execute { [self] in finish(large) }
    }
  }

  private func parse(_ large: LargeFrame) {
    do throws(WorkerSocket.Failure) {
      let frame = try large.frame()
      // It only grows until the frame is received: events that come later spend it.
      let credit = withState { $0.session.publishCredit }
      let parsed = ParsedFrame(frame, publishCredit: credit)
      let effects = effects(of: { state in
        state.parsing = 0
        return state.take(parsed, size: frame.body.count)
      })
      for effect in effects where effect.mayTakeLong { perform(effect) }
      large.end(.actions(effects.filter { !$0.mayTakeLong }))
    } catch {
      large.end(.failed(error))
    }
  }

  /// Does the rest of what follows from a frame, and goes on with those behind it. On the loop's
  /// thread.
  private func finish(_ large: LargeFrame) {
    let isUnderWay = withState { state in
      guard state.large === large else { return false }
      (state.large, state.parsing) = (nil, 0)
      return true
    }
    guard isUnderWay else { return }
    switch large.takeOutcome() {
    case .actions(let actions): for action in actions { perform(action) }
    case .failed(let failure): fail(failure)
    }
    takeFrames()
    act { _ in [] }
  }

  /// Finishes the frame that is being parsed, if there is one, before the link is closed: it may be
  /// the result of a call. On the loop's thread.
  func finishLargeFrame() {
    guard let large = withState({ $0.large }) else { return }
    if large.begin() {
      parse(large)
    } else {
      large.wait()
    }
    finish(large)
  }
}

extension HostAction {
  /// Whether doing it reads as much as the frame has. The other actions are for the loop's thread.
  fileprivate var mayTakeLong: Bool {
    switch self {
    case .call, .published: true
    default: false
    }
  }
}
