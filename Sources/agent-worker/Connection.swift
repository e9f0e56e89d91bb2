import AgentModuleLoader
import AgentWorkerProtocol
import CDescriptors
import Glibc
import Synchronization

/// The socket to the host and the state of the connection. The worker sends everything through it.
/// Sending never blocks: the receiver thread later sends the bytes that the socket doesn't accept.
final class Connection: Sendable {
  typealias Answer = @Sendable (Result<[UInt8], WorkerError>) -> Void
  typealias Accepted = @Sendable (ModuleStatus, String) -> Void

  struct State {
    var session = WorkerSession()
    var subscribers: [UInt32: EventSubscriber] = [:]
    var answers: [UInt32: Answer] = [:]
    /// The contribution of each call, for its cancellation. It is kept here and not in
    /// `ModuleRunner`, because a call may end on any thread and need not wake the module's thread.
    var calls: [UInt32: ContributionName] = [:]
    var publications: [UInt64: Accepted] = [:]
    var lastToken: UInt64 = 0
    var lostRecords = 0
    /// It has no limit of its own. Credit and `maxLogBytes` bound it, and the module's memory limit
    /// bounds the process.
    fileprivate(set) var queue = OutboundQueue(limit: 1 << 40, descriptorLimit: 1 << 40)
    fileprivate(set) var isBlocked = false
    /// A lack of the system that keeps waiting bytes from being sent.
    fileprivate(set) var lack = SendingLack()
    fileprivate(set) var isEnding = false
    fileprivate(set) var isFinishing = false

    /// Whether the end was requested and every STOP is answered.
    fileprivate var isOver: Bool { isEnding && session.openStops.isEmpty }
  }

  /// Log records are dropped while more bytes than this wait to be sent.
  static let maxLogBytes = 1 << 20

  let socket: Int32
  private let wakeup = Wakeup()
  private let state = Mutex(State())

  init(socket: Int32) {
    self.socket = socket
  }

  /// Changes the state and sends the frames that `body` appends. Both happen under one lock, so
  /// that frames leave in the order of their changes. [any-thread]
  func update<Result>(_ body: (inout State, inout [Frame]) -> Result) -> Result
  where Result: Sendable {
    state.withLock { state in
      var frames: [Frame] = []
      let result = body(&state, &frames)
      if !state.isFinishing { for frame in frames { enqueue(frame, &state) } }
      flush(&state)
      if state.isOver { wakeup.signal() }
      return result
    }
  }

  /// Sends a frame. [any-thread]
  func send(_ frame: Frame?) {
    guard let frame else { return }
    update { _, frames in frames.append(frame) }
  }

  /// Waits until the socket has bytes to read, and meanwhile sends what waits. When everything is
  /// done, it closes the socket for reading. The host then can't send any more, but the bytes that
  /// it sent before can still be read.
  func waitForBytes() {
    while true {
      // An end after this check signals `wakeup`.
      if state.withLock({ $0.isOver }) {
        shutdown(socket, Int32(SHUT_RD))
        return
      }
      let (isBlocked, isLacking) = state.withLock { ($0.isBlocked, $0.lack.isPresent) }
      var polled = [
        // While the system lacks something, the socket has space and would be ready at once.
        pollfd(
          fd: socket, events: Int16(POLLIN | (isBlocked && !isLacking ? POLLOUT : 0)), revents: 0),
        pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, 2, isLacking ? Self.pause : -1)
      if isLacking { state.withLock { flush(&$0) } }
      guard count > 0 else { continue }
      if polled[1].revents != 0 { wakeup.wait() }
      if polled[0].revents & Int16(POLLOUT) != 0 { state.withLock { flush(&$0) } }
      if polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { return }
    }
  }

  /// Called at the end of the stream. Either the host has ended, or only the last answers are
  /// missing. In the second case it waits for these and sends them.
  func bytesEnded() -> Never {
    guard state.withLock({ $0.isEnding }) else { Exit.now(0) }
    while !state.withLock({ $0.isOver }) { wakeup.wait() }
    finish()
  }

  /// Asks the receiver thread to answer what has arrived and then to end the process. [any-thread]
  func end() {
    update { state, _ in state.isEnding = true }
  }

  /// Sends what waits while the host reads, and ends the process. New frames are ignored, so that a
  /// module that continues to send doesn't delay the end.
  func finish() -> Never {
    state.withLock { $0.isFinishing = true }
    while true {
      let (isBlocked, isLacking) = state.withLock { state in
        flush(&state)
        return (state.isBlocked, state.lack.isPresent)
      }
      guard isBlocked else { Exit.now(0) }
      var polled = pollfd(fd: socket, events: isLacking ? 0 : Int16(POLLOUT), revents: 0)
      poll(&polled, 1, isLacking ? Self.pause : -1)
    }
  }

  /// The pause between two attempts while the system lacks something, in milliseconds.
  private static let pause: Int32 = 20

  private func enqueue(_ frame: Frame, _ state: inout State) {
    guard frame.body.count > Frame.maxInlineBody else {
      _ = state.queue.enqueue(frame)
      return
    }
    let descriptor = frame.body.withUnsafeBytes { descriptors_seal($0.baseAddress, $0.count) }
    guard descriptor >= 0, frame.body.count <= Frame.maxDescriptorBody else {
      if descriptor >= 0 { close(descriptor) }
      return tooLarge(frame, &state)
    }
    let stub = Frame(
      code: frame.code, id: frame.id, body: Array("{\"bytes\":\(frame.body.count)}".utf8),
      descriptor: true)
    _ = state.queue.enqueue(stub, descriptor: descriptor, bodySize: frame.body.count)
  }

  private func tooLarge(_ frame: Frame, _ state: inout State) {
    let error = WorkerError(.failed, "\(frame.name) of \(frame.body.count) bytes can't be sent.")
    let answers = frame.op == .reply || frame.op == .part
    _ = state.queue.enqueue(Frame(.error, id: answers ? frame.id : 0, body: error.json))
  }

  private func flush(_ state: inout State) {
    while let (sent, error) = state.queue.withNextChunk({ bytes, descriptor in
      (descriptors_send(socket, bytes.baseAddress, bytes.count, descriptor ?? -1), errno)
    }) {
      if sent > 0 {
        state.lack.passed()
        if let descriptor = state.queue.advance(by: sent) { close(descriptor) }
      } else if error == EAGAIN || error == EWOULDBLOCK {
        state.lack.passed()
        return block(&state)
      } else if descriptors_lacks(error) != 0 {
        // The host is still there, so its end isn't the reason that a reader of the exit would see.
        guard state.lack.occurred(at: .now) else {
          Exit.now(71, "The system has had no room for a frame to the host for too long.")
        }
        return block(&state)
      } else if error != EINTR {
        Exit.now(0)
      }
    }
    state.isBlocked = false
  }

  private func block(_ state: inout State) {
    guard !state.isBlocked else { return }
    state.isBlocked = true
    wakeup.signal()
  }
}
