import Glibc

/// What the kernel says about the memory of this process.
package enum ResidentMemory {
  /// The resident set in bytes. The peak while a list grows is in it, since pages stay.
  package static func bytes() throws(BenchError) -> Int {
    guard let file = fopen("/proc/self/statm", "r") else {
      throw BenchError("/proc/self/statm can't be read.")
    }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else {
      throw BenchError("/proc/self/statm is empty.")
    }
    let text = String(
      decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let fields = text.split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else {
      throw BenchError("/proc/self/statm has no number of pages.")
    }
    return pages * Int(getpagesize())
  }
}
