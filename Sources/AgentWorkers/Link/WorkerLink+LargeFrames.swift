internal import AgentSupervision
internal import AgentWorkerProtocol
internal import Dispatch

/// Reads, parses and answers long frames on one thread, which serves all workers.
///
/// Rationale: a CALL may have megabytes. While one was parsed on the loop's thread, no other worker
/// was served. All workers share one thread, because a parsed document occupies several times the
/// memory of its text. The host then holds one such document at a time, whatever the number of
/// workers. Each worker has at most one frame there. A worker that sends many long frames delays
/// the long frames of another worker by one frame.
extension WorkerLink {
  /// The longest body that is parsed on the loop's thread, in bytes.
  static let maxOnLoop = 64 << 10

  /// Begins to parse a frame on the thread of long frames. The host doesn't read from the worker
  /// until the frame is finished, so the worker's frames keep their order. On the loop's thread.
  func parseElsewhere(_ large: LargeFrame) {
    // The worker's answers to pings come after this frame, and the frames of other workers may be
    // parsed first.
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
      // The credit can only grow until the session receives this frame, because only later events
      // spend it.
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

  /// Performs the remaining actions of a parsed frame and then processes the frames after it. Does
  /// nothing if this was called before for the frame. On the loop's thread.
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

  /// Finishes the frame that is being parsed, if there is one. Called before the link is closed,
  /// because the frame may be the result of a call. On the loop's thread.
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
  /// Whether performing the action reads the whole body of the frame. Such an action is performed
  /// on the thread that has parsed the frame. The others are performed on the loop's thread.
  fileprivate var mayTakeLong: Bool {
    switch self {
    case .call, .published: true
    default: false
    }
  }
}
