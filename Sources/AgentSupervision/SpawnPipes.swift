import CSupervision
import Glibc

/// Both ends of what a child inherits, for the time of its spawn.
struct SpawnPipes {
  private var pairs: [(host: Int32, child: Int32, targets: [Int32])] = []
  private var socket: Int32?
  private var crash: Int32?
  private var output: Int32?
  private let inheritsOutput: Bool

  init(_ descriptors: ChildDescriptors) throws(SpawnError) {
    inheritsOutput = !descriptors.capturesOutput
    do {
      if let number = descriptors.socket { socket = try add([number], Self.socketPair) }
      if descriptors.capturesOutput { output = try add([1, 2], Self.pipe) }
      if let number = descriptors.crash { crash = try add([number], Self.pipe) }
    } catch {
      closeChildEnds()
      closeHostEnds()
      throw error
    }
  }

  /// Calls with what the child gets under which number.
  func withDescriptors<R>(
    null: Int32, _ body: (UnsafeBufferPointer<cs_descriptor>) -> R
  ) -> R {
    var list = [cs_descriptor(source: null, target: 0)]
    if inheritsOutput {
      list += [cs_descriptor(source: 1, target: 1), cs_descriptor(source: 2, target: 2)]
    }
    for pair in pairs {
      list += pair.targets.map { cs_descriptor(source: pair.child, target: $0) }
    }
    return list.withUnsafeBufferPointer(body)
  }

  func process(_ result: cs_result, startedAt: Int64) -> SpawnedProcess {
    SpawnedProcess(
      pid: result.pid, pidfd: result.pidfd, socket: socket, crash: crash, output: output,
      startedAt: startedAt)
  }

  func closeChildEnds() {
    for pair in pairs { _ = close(pair.child) }
  }

  func closeHostEnds() {
    for pair in pairs { _ = close(pair.host) }
  }

  private mutating func add(
    _ targets: [Int32], _ make: (inout [Int32]) -> Int32
  ) throws(SpawnError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard make(&ends) == 0 else {
      throw SpawnError(
        isPermanent: false,
        message: "No pipe to a new process can be made: \(SystemError.text(errno)).", errno: errno)
    }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    pairs.append((ends[0], ends[1], targets))
    return ends[0]
  }

  private static func socketPair(_ ends: inout [Int32]) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    return socketpair(AF_UNIX, type, 0, &ends)
  }

  private static func pipe(_ ends: inout [Int32]) -> Int32 {
    cs_pipe(&ends)
  }
}
