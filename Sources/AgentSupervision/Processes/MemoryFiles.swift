import Glibc

/// The memory of a process's descriptors: files without a name that exist in memory (`memfd`).
/// Resident memory doesn't count the parts that aren't mapped, or mapped but not touched.
enum MemoryFiles {
  /// One such file, however many descriptors and processes have it open.
  struct Identity: Hashable {
    let device: UInt
    let inode: UInt
  }

  /// The number of descriptors that are read per process; further ones aren't counted.
  static let maxDescriptors = 4096

  /// Bytes of the files that none of `known` is; adds them to `known`.
  static func bytes(of pid: Int32, butFor known: inout Set<Identity>) -> Int {
    guard let folder = opendir("/proc/\(pid)/fd") else { return 0 }
    defer { closedir(folder) }
    var bytes = 0
    for _ in 0..<maxDescriptors {
      guard let entry = readdir(folder) else { break }
      withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          bytes &+= size(at: name, in: dirfd(folder), &known)
        }
      }
    }
    return bytes
  }

  private static let prefix = "/memfd:".utf8.map { CChar(bitPattern: $0) }

  private static func size(
    at name: UnsafePointer<CChar>, in folder: Int32, _ known: inout Set<Identity>
  ) -> Int {
    let isOne = withUnsafeTemporaryAllocation(of: CChar.self, capacity: prefix.count) { buffer in
      guard let start = buffer.baseAddress else { return false }
      return readlinkat(folder, name, start, buffer.count) == buffer.count
        && buffer.elementsEqual(prefix)
    }
    var about = stat()
    guard isOne, fstatat(folder, name, &about, 0) == 0,
      known.insert(Identity(device: UInt(about.st_dev), inode: UInt(about.st_ino))).inserted
    else { return 0 }
    return Int(clamping: about.st_blocks).multipliedReportingOverflow(by: 512).partialValue
  }

  /// Bytes of shared memory that a process has touched, which its resident memory counts already.
  static func resident(of pid: Int32) -> Int {
    ProcessStat.withFile("/proc/\(pid)/status", size: 4096) { text in
      text.split(separator: UInt8(ascii: "\n")).lazy.compactMap { line -> Int? in
        guard line.starts(with: "RssShmem:".utf8) else { return nil }
        let digits = line.drop { $0 < 0x30 || $0 > 0x39 }.prefix { $0 >= 0x30 && $0 <= 0x39 }
        return digits.reduce(0) { $0 &* 10 &+ Int($1 - 0x30) } &* 1024
      }.first
    } ?? 0
  }
}
