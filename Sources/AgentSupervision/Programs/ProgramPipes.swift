internal import CDescriptors
internal import CSupervision
internal import Glibc

/// The pipes for a program's output. Each serves some of its descriptors.
struct ProgramPipes {
  /// The host's end of a pipe.
  struct Reader {
    let end: Int32
    /// The first of the program's descriptors that lead to this pipe.
    let descriptor: Int32
    var isOpen = true

    /// Reads the available bytes. Returns false at the end of the pipe.
    func drain(_ take: (ArraySlice<UInt8>) -> Void) -> Bool {
      var chunk = [UInt8](repeating: 0, count: 8192)
      // The number of reads is limited. Otherwise a program that writes without end would hide its
      // own exit.
      for _ in 0..<32 {
        let count = read(end, &chunk, chunk.count)
        if count == 0 { return false }
        guard count > 0 else { return errno == EAGAIN || errno == EINTR }
        take(chunk[..<count])
      }
      return true
    }
  }

  private var pairs: [(targets: [Int32], host: Int32, child: Int32)] = []

  init(_ groups: [[Int32]]) throws(SpawnError) {
    for targets in groups {
      var ends: [Int32] = [-1, -1]
      guard descriptors_pipe(&ends) == 0 else {
        let number = errno
        closeChildEnds()
        closeHostEnds()
        throw SpawnError(isPermanent: false, message: "No pipe can be made.", errno: number)
      }
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      pairs.append((targets, ends[0], ends[1]))
    }
  }

  var childDescriptors: [cs_descriptor] {
    pairs.flatMap { pair in pair.targets.map { cs_descriptor(source: pair.child, target: $0) } }
  }

  var readers: [Reader] {
    pairs.map { Reader(end: $0.host, descriptor: $0.targets.first ?? -1) }
  }

  func closeChildEnds() { for pair in pairs { close(pair.child) } }

  func closeHostEnds() { for pair in pairs { close(pair.host) } }
}
