extension HostSession {
  /// Processes a frame whose body is too long. A request, an answer to a call and a log record are
  /// processed without the body. Any other such frame is a breach.
  public mutating func receive(_ frame: ExcessiveFrame) -> [HostAction] {
    guard state != .broken else { return [] }
    switch frame.op {
    // Before HELLO, any other frame is a breach anyway.
    case _ where state == .awaitingHello: break
    case .log:
      return [.log(LogRecord(level: .warning, message: "A record was dropped: \(frame.reason)."))]
    case .call where frame.bound < FrameBounds.maxCall:
      let message = "Too much waits for answers already: \(frame.reason) now."
      return [.send(refusal(of: frame, .overloaded, message))]
    case .call:
      return [.send(refusal(of: frame, .invalidArgument, "\(frame.reason)."))]
    case .reply, .error:
      // The answers to other requests are short. An excessive one is a breach.
      guard case .invoke = pending[frame.id] else { break }
      _ = settle(frame.id)
      return [.finished(frame.id, .failure(WorkerError(.failed, "\(frame.reason).")))]
    default: break
    }
    state = .broken
    return [.breach("\(frame.reason).")]
  }

  private func refusal(of frame: ExcessiveFrame, _ code: StatusCode, _ message: String) -> Frame {
    Frame(.error, id: frame.id, body: WorkerError(code, message).json)
  }
}
