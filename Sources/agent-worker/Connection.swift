import AgentModuleLoader
import AgentWorkerProtocol
import CDescriptors
import Glibc
import Synchronization

/// The socket to the host and the state of the connection. Everything that the worker sends goes
/// through it. Sending never blocks: bytes that the socket doesn't accept wait for the receiver
/// thread.
final class Connection: Sendable {
  typealias Answer = @Sendable (Result<[UInt8], WorkerError>) -> Void
  typealias Accepted = @Sendable (ModuleStatus, String) -> Void

  struct State {
    var session = WorkerSession()
    var subscribers: [UInt32: EventSubscriber] = [:]
    var answers: [UInt32: Answer] = [:]
    /// Which contribution answers a call, so that it can be cancelled. Here, because a call ends on
    /// any thread and the module's thread isn't worth waking for it.
    var calls: [UInt32: ContributionName] = [:]
    var publications: [UInt64: Accepted] = [:]
    var lastToken: UInt64 = 0
    var lostRecords = 0
    /// Bounded by the module's own memory limit: credit and `maxLogBytes` bound it before.
    fileprivate(set) var queue = OutboundQueue(limit: 1 << 40, descriptorLimit: 1 << 40)
    fileprivate(set) var isBlocked = false
    fileprivate(set) var isEnding = false
    fileprivate(set) var isFinishing = false

    /// Everything that was asked for is done.
    fileprivate var isOver: Bool { isEnding && session.openStops.isEmpty }
  }

  /// Log records are dropped while more than this waits to be sent.
  static let maxLogBytes = 1 << 20

  let socket: Int32
  private let wakeup = Wakeup()
  private let state = Mutex(State())

  init(socket: Int32) {
    self.socket = socket
  }

  /// Changes the state, and sends the frames that this made. [any-thread]
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

  /// Waits until bytes arrived, sending in the meantime what was left over. When all is done
  /// nothing more can arrive: from then on the host's sending fails, and what it had sent before is
  /// here.
  func waitForBytes() {
    while true {
      let (isBlocked, isOver) = state.withLock { ($0.isBlocked, $0.isOver) }
      if isOver {
        shutdown(socket, Int32(SHUT_RD))
        return
      }
      var polled = [
        pollfd(fd: socket, events: Int16(POLLIN | (isBlocked ? POLLOUT : 0)), revents: 0),
        pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, -1) > 0 else { continue }
      if polled[1].revents != 0 { wakeup.wait() }
      if polled[0].revents & Int16(POLLOUT) != 0 { state.withLock { flush(&$0) } }
      if polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { return }
    }
  }

  /// There is nothing more to read: the host is gone, or all is done but for the last answers.
  func bytesEnded() -> Never {
    guard state.withLock({ $0.isEnding }) else { Exit.now(0) }
    while !state.withLock({ $0.isOver }) { wakeup.wait() }
    finish()
  }

  /// Lets the thread that reads answer what has arrived already and then end the process.
  /// [any-thread]
  func end() {
    update { state, _ in state.isEnding = true }
  }

  /// Sends what is left, as long as the host reads, and ends the process. A module's thread that
  /// goes on talking doesn't hold the end up.
  func finish() -> Never {
    state.withLock { $0.isFinishing = true }
    while state.withLock({
      flush(&$0)
      return $0.isBlocked
    }) {
      var polled = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
      poll(&polled, 1, -1)
    }
    Exit.now(0)
  }

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
        if let descriptor = state.queue.advance(by: sent) { close(descriptor) }
      } else if error == EAGAIN || error == EWOULDBLOCK {
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
