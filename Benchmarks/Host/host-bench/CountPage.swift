import BenchSupport
import Glibc

/// The file in which the counters of events say how many they have counted.
struct CountPage {
  private static let size = 4096
  let path: String
  private let file: Int32

  init(_ path: String) throws(BenchError) {
    self.path = path
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw BenchError("\(path) can't be opened.") }
  }

  /// Forgets all counts.
  func clear() {
    ftruncate(file, 0)
    ftruncate(file, off_t(Self.size))
  }

  /// What the first `processes` processes have counted.
  func counts(_ processes: Int) -> [Int64] {
    (0..<processes).map { slot in
      var count: Int64 = 0
      pread(file, &count, 8, off_t(16 * slot))
      return count
    }
  }
}
