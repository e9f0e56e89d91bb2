internal import AgentSystem
internal import CDescriptors
internal import Glibc

/// Says to `agent start` why its host couldn't start. The host's output goes to a file, which is
/// empty when the disk is full; this goes through a pipe.
struct StartReport {
  /// The end that the host writes to, as it is started.
  static let descriptor: Int32 = 3
  /// A pipe takes this much at once, whether somebody reads or not.
  private static let maxBytes = 16 << 10

  /// Takes the pipe over. Nil when the host wasn't started by `agent start`.
  init?() {
    var about = stat()
    // Somebody may say `--daemon` by hand: what has this number then mustn't be written to.
    guard fstat(Self.descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFIFO else { return nil }
    // Nothing that the host starts keeps it open.
    _ = fcntl(Self.descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Reports why the host ends. Nothing happens when nobody reads it any more.
  func send(_ message: String) {
    // A host that ran for a while writes to a pipe without a reader, which would end it here.
    signal(SIGPIPE, SIG_IGN)
    let bytes = Array(message.utf8.prefix(Self.maxBytes))
    _ = bytes.withUnsafeBytes { write(Self.descriptor, $0.baseAddress, $0.count) }
  }

  /// The end of `agent start`.
  struct Reader {
    private let reader: Int32
    let writer: Int32

    /// Makes the pipe.
    init() throws {
      var ends: [Int32] = [-1, -1]
      guard descriptors_pipe(&ends) == 0 else {
        throw Failure("The agent can't be started: \(SystemError.text(errno)).")
      }
      (reader, writer) = (ends[0], ends[1])
      // A host that reported nothing, or that left a program behind, mustn't be waited for.
      _ = fcntl(reader, F_SETFL, O_NONBLOCK)
    }

    /// Call it once the host has its end.
    func closeWriter() { close(writer) }

    /// What the host reported before it ended; nil for nothing.
    var text: String? {
      var bytes = [UInt8](repeating: 0, count: StartReport.maxBytes)
      let count = read(reader, &bytes, bytes.count)
      return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
  }
}
