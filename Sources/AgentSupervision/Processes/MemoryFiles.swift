import Glibc

/// Counts the nameless memory files (`memfd`) behind a process's descriptors. Resident memory
/// doesn't include the parts that aren't mapped, or are mapped and not touched. For files whose
/// descriptors are closed see ``MappedFiles``.
enum MemoryFiles {
  /// Identifies such a file, whichever descriptors and processes have it open.
  struct Identity: Hashable {
    let device: UInt
    let inode: UInt
  }

  /// The maximum number of descriptors that are read for a process. Further ones aren't counted.
  static let maxDescriptors = 4096

  /// Returns the bytes of the files outside of `known`, and adds these files to `known`.
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

  /// Returns the bytes of shared memory that a process has touched. Its resident memory includes
  /// them already.
  static func resident(of pid: Int32) -> Int {
    (ProcessStat.status("RssShmem", of: pid) ?? 0) &* 1024
  }
}
