import AgentModules

/// The files of the time zone database.
public enum TimeZoneFile {
  private static let folder = "/usr/share/zoneinfo/"

  /// The file of a zone, as RFC 8536 (TZif) describes it; nil when there is none of this name.
  public static func bytes(of zone: String) -> [UInt8]? {
    let isName = zone.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    guard isName, !zone.isEmpty, !zone.hasPrefix("/"),
      let bytes = try? FileSystem.read(folder + zone, limit: 1 << 20),
      bytes.starts(with: "TZif".utf8)
    else { return nil }
    return bytes
  }

  /// Whether there is a zone of this name. UTC needs no file.
  public static func exists(_ zone: String) -> Bool { zone == "UTC" || bytes(of: zone) != nil }
}
