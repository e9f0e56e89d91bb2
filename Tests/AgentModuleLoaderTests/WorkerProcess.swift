import AgentJSON
import AgentWorkerProtocol
import CDescriptors
import Glibc
import Testing

/// A real agent-worker and the host's side of its socket, on the thread of the test.
final class WorkerProcess {
  struct TimedOut: Error {}

  /// Where the executables are: beside the tests' own.
  static let products: String = {
    var path = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &path, path.count - 1)
    let text = String(
      decoding: path.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.split(separator: "/").dropLast().map { "/\($0)" }.joined()
  }()

  let pid: pid_t
  var session = HostSession()
  private let socket: Int32
  private let crash: Int32
  private var decoder = FrameDecoder()
  private var descriptors: [Int32] = []

  init(_ command: [String] = ["\(products)/agent-worker"]) throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    var name = Array("/tmp/agent-crash-XXXXXX".utf8CString)
    crash = mkstemp(&name)
    unlink(name)
    _ = fcntl(crash, F_SETFD, FD_CLOEXEC)
    socket = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 3)
    posix_spawn_file_actions_adddup2(&actions, crash, 4)
    var arguments = command.map { strdup($0) } + [nil]
    let library = getenv("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\(String(cString: $0))"] } ?? []
    let settings = ["AGENT_WORKER_FD=3", "AGENT_CRASH_FD=4", "PATH=/usr/bin:/bin"] + library
    var environment = settings.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var child = pid_t()
    try #require(posix_spawn(&child, command[0], &actions, nil, &arguments, &environment) == 0)
    pid = child
    close(ends[1])
  }

  deinit {
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
    close(socket)
    close(crash)
  }

  /// Sends what the session wants sent; returns the rest.
  @discardableResult func perform(_ actions: [HostAction]) -> [HostAction] {
    for frame in actions.frames { send(frame) }
    return actions
  }

  /// Sends a frame; false when the worker takes none any more.
  @discardableResult func send(_ frame: Frame) -> Bool {
    var bytes: [UInt8] = []
    FrameEncoder.append(frame, to: &bytes)
    return Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  func closeSocket() {
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// Takes frames in until one brings an action for which `pick` has an answer; nil at the end of
  /// the stream.
  func next<Value>(_ pick: (HostAction) -> Value?) throws -> Value? {
    while true {
      while let frame = try decoder.next() {
        for action in perform(session.receive(try resolve(frame))) {
          if let value = pick(action) { return value }
        }
      }
      guard try receive() else { return nil }
    }
  }

  /// All frames up to the end of the stream, past the session.
  func rest() throws -> [Frame] {
    var frames: [Frame] = []
    repeat {
      while let frame = try decoder.next() { frames.append(frame) }
    } while try receive()
    return frames
  }

  private func receive() throws -> Bool {
    var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, 10_000) == 1 else { throw TimedOut() }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var received = [Int32](repeating: -1, count: Int(DESCRIPTORS_MOST))
    var count: Int32 = 0
    let size = descriptors_receive(socket, &buffer, buffer.count, &received, &count)
    descriptors += received.prefix(Int(count))
    guard size > 0 else { return false }
    decoder.append(Array(buffer.prefix(size)))
    return true
  }

  private func resolve(_ frame: Frame) throws -> Frame {
    guard frame.descriptor, !descriptors.isEmpty else { return frame }
    let descriptor = descriptors.removeFirst()
    defer { close(descriptor) }
    let size = descriptors_sealed_size(descriptor, 256 << 20)
    try #require(size >= 0)
    var body = [UInt8](repeating: 0, count: size)
    try #require(pread(descriptor, &body, size, 0) == size)
    return frame.resolving(body)
  }

  /// Waits for the end; the status as waitpid gives it.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// All that was written to the crash descriptor.
  func crashText() throws -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = pread(crash, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// What the crash handler wrote, behind the record of the sandbox.
  func crashReport() throws -> JSONValue {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = pread(crash, &bytes, bytes.count, 1024)
    return try JSONValue(parsing: Array(bytes.prefix(max(0, count))))
  }
}

extension [HostAction] {
  var frames: [Frame] {
    compactMap { if case .send(let frame) = $0 { frame } else { nil } }
  }
}
