internal import Glibc

/// How much room there is for the database.
enum DiskRoom {
  /// The free bytes on the disk of a file, whether the file is there or not; nil when they can't be
  /// told.
  static func free(beside path: String) -> Int64? {
    var disk = statvfs()
    guard statvfs(FolderSync.folder(of: path), &disk) == 0 else { return nil }
    let free = Int64(clamping: disk.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: disk.f_frsize))
    return free.overflow ? nil : free.partialValue
  }
}
