import AgentSystem
import CDescriptors
import Glibc

/// The two ends of a connection. Both are closed at exec.
struct DescriptorPair {
  /// Non-blocking.
  let host: Int32
  let child: Int32

  enum Kind {
    /// A Unix stream socket.
    case socket
    /// From the child to the host.
    case pipe
  }

  /// Makes a pair. The host's end gets a large number, so that the small ones stay free for
  /// descriptors of children. A child copies the host's table up to the largest descriptor that it
  /// inherits.
  init(_ kind: Kind) throws(SpawnError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(clamping: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let outcome = kind == .socket ? socketpair(AF_UNIX, type, 0, &ends) : descriptors_pipe(&ends)
    guard outcome == 0 else {
      throw SpawnError(
        isPermanent: false,
        message: "No pipe to a new process can be made: \(SystemError.text(errno)).", errno: errno)
    }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    host = Self.moved(ends[0])
    child = ends[1]
  }

  func close() {
    _ = Glibc.close(host)
    _ = Glibc.close(child)
  }

  /// Returns the same descriptor under a large number.
  static func moved(_ descriptor: Int32) -> Int32 {
    let great = fcntl(descriptor, F_DUPFD_CLOEXEC, 256)
    guard great >= 0 else { return descriptor }
    _ = Glibc.close(descriptor)
    return great
  }
}

/// Pairs of descriptors for the next child. They are made in advance, so that a restart doesn't
/// wait for them. Used on the loop's thread only.
final class DescriptorStock {
  /// The pairs of one worker: its socket, its output and its crash report.
  private static let kinds: [DescriptorPair.Kind] = [.socket, .pipe, .pipe]

  private var pairs: [(kind: DescriptorPair.Kind, pair: DescriptorPair)] = []

  deinit {
    for (_, pair) in pairs { pair.close() }
  }

  /// Returns a pair from the stock. If there is none, it makes one.
  func take(_ kind: DescriptorPair.Kind) throws(SpawnError) -> DescriptorPair {
    guard let index = pairs.firstIndex(where: { $0.kind == kind }) else {
      return try DescriptorPair(kind)
    }
    return pairs.remove(at: index).pair
  }

  /// Makes the missing pairs. If that fails, the next use of one tries again.
  func restock() {
    for kind in [DescriptorPair.Kind.socket, .pipe] {
      let wanted = Self.kinds.count { $0 == kind }
      while pairs.count(where: { $0.kind == kind }) < wanted, let pair = try? DescriptorPair(kind) {
        pairs.append((kind, pair))
      }
    }
  }
}
