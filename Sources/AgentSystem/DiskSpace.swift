internal import Glibc

/// The free space of a file system.
package struct DiskSpace: Sendable, Hashable {
  /// Bytes that this user may still use. Some of the free bytes are reserved for root.
  package let free: UInt64
  /// All bytes.
  package let total: UInt64
  /// Files that this user may still create. Zero, as `totalFiles`, if the file system doesn't count.
  package let freeFiles: UInt64
  package let totalFiles: UInt64

  /// Makes a value of its numbers.
  package init(free: UInt64, total: UInt64, freeFiles: UInt64, totalFiles: UInt64) {
    self.free = free
    self.total = total
    self.freeFiles = freeFiles
    self.totalFiles = totalFiles
  }

  /// Asks the system. Nil if it doesn't tell. May wait for a disk.
  /// - Parameter path: a file or folder of the file system.
  package init?(at path: String) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (free, isVast) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    let (total, isVaster) = UInt64(status.f_blocks).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    self.init(
      free: isVast ? .max : free, total: isVaster ? .max : total,
      freeFiles: UInt64(status.f_favail), totalFiles: UInt64(status.f_files))
  }
}
