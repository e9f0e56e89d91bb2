internal import AgentJSON
package import AgentSystem

/// The rating of the free space for an agent's folder.
extension DiskSpace {
  /// With less free space than this, the database will soon be unable to write.
  static let scarce: UInt64 = 256 << 20
  /// With less free space than this, a checkpoint may fail, so it counts as none.
  static let exhausted: UInt64 = 16 << 20

  /// Whether fewer than one in a hundred files can still be created.
  var lacksFiles: Bool { totalFiles > 0 && freeFiles < totalFiles / 100 }

  /// The state and its reason.
  var verdict: (state: HealthState, reason: String?) {
    if free < Self.exhausted {
      return (.failing, "\(ByteText.of(free)) are left on the disk; nothing can be stored soon.")
    }
    // Some file systems, such as btrfs, have no fixed number of inodes and report 0 of 0.
    if totalFiles > 0, freeFiles == 0 {
      return (.failing, "The file system has no inode left: no file can be created.")
    }
    if free < Self.scarce {
      return (.degraded, "\(ByteText.of(free)) of \(ByteText.of(total)) are left on the disk.")
    }
    if lacksFiles {
      return (.degraded, "\(freeFiles) of \(totalFiles) inodes are left in the file system.")
    }
    return (.ok, nil)
  }

  /// The numbers in the form of the API.
  var json: JSONValue {
    [
      "free_bytes": JSONValue(free), "total_bytes": JSONValue(total),
      "free_files": JSONValue(freeFiles), "total_files": JSONValue(totalFiles),
    ]
  }
}

extension HealthSnapshot {
  /// The disk of the agent's folder.
  package static func disk(_ space: DiskSpace?) -> HealthSnapshot {
    guard let space else {
      return HealthSnapshot("disk", .degraded, reason: "The free space is unknown.")
    }
    return HealthSnapshot("disk", space.verdict.state, reason: space.verdict.reason)
  }
}

/// Formats numbers of bytes for people.
enum ByteText {
  static func of(_ bytes: some BinaryInteger) -> String {
    let units = ["bytes", "KB", "MB", "GB", "TB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    guard unit > 0 else { return "\(bytes) bytes" }
    let tenths = Int64(clamping: (value * 10).rounded())
    return value < 10
      ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(tenths / 10) \(units[unit])"
  }
}
