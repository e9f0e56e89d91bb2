internal import AgentSystem

extension DiskSpace {
  /// Returns the free bytes on the disk of a file, which may not exist yet. `nil` if that can't be
  /// determined.
  static func free(beside path: String) -> Int64? {
    DiskSpace(at: FolderSync.folder(of: path)).flatMap { Int64(exactly: $0.free) }
  }
}
