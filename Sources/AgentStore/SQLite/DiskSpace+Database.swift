internal import AgentSystem

extension DiskSpace {
  /// The free bytes on the disk of a file, whether the file is there or not; nil when they can't be
  /// told.
  static func free(beside path: String) -> Int64? {
    DiskSpace(at: FolderSync.folder(of: path)).flatMap { Int64(exactly: $0.free) }
  }
}
