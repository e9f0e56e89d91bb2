import BenchSupport
import Glibc

/// What the kernel says about the memory of a process.
enum ProcessMemory {
  /// The proportional set size in KB: pages shared by n processes count as 1/n.
  static func proportional(_ pid: Int32) throws(BenchError) -> Double {
    guard let file = fopen("/proc/\(pid)/smaps_rollup", "r") else {
      throw BenchError("The memory of process \(pid) can't be read.")
    }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard text.hasPrefix("Pss:") else { continue }
      let digits = text.drop { !$0.isNumber }.prefix { $0.isNumber }
      if let kilobytes = Double(digits) { return kilobytes }
    }
    throw BenchError("Process \(pid) shows no proportional set size.")
  }
}
