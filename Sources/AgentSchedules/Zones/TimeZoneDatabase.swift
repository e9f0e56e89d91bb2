import AgentText
import Glibc
import Synchronization

/// The time zones in a folder: `/usr/share/zoneinfo` on Debian (package tzdata). Each zone is read
/// at its first use and then shared.
///
/// It reads the files on the caller's thread. They have a few kilobytes.
public final class TimeZoneDatabase: Sendable {
  /// The folder of Debian's package.
  public static let usualDirectory = "/usr/share/zoneinfo"
  /// The largest size of a file in bytes, far beyond that of a real zone.
  private static let largest = 1 << 20

  private let directory: String
  private let known = Mutex<[String: TimeZoneRules]>([:])

  /// - Parameter directory: the folder with the zones.
  public init(directory: String = TimeZoneDatabase.usualDirectory) { self.directory = directory }

  /// Returns the zone of a name, such as `Europe/Berlin`. `UTC` always exists.
  ///
  /// - Throws: ``TimeZoneError``. For an unknown name it contains the nearest known one.
  public func zone(named name: String) throws(TimeZoneError) -> TimeZoneRules {
    if name == "UTC" { return .utc }
    if let zone = known.withLock({ $0[name] }) { return zone }
    guard Self.isName(name) else {
      throw TimeZoneError(
        .name,
        "\(String(name.prefix(80)).debugDescription) can't be the name of a time zone. Names are like Europe/Berlin or UTC."
      )
    }
    guard let file = try read(name) else { throw unknown(name) }
    let zone = try TimeZoneRules(name: name, file: file)
    // Another thread may have read the zone meanwhile. All threads use the first object.
    return known.withLock { known in
      let shared = known[name] ?? zone
      known[name] = shared
      return shared
    }
  }

  /// Returns whether a name consists of letters, digits and `_ + -` between slashes. Dots are
  /// forbidden, so that no name leads out of the folder.
  static func isName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: 0x2f, omittingEmptySubsequences: false)
    return name.utf8.count <= 64 && parts.count <= 4
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy { byte in
            byte.isASCIIAlphanumeric || byte == 0x5f || byte == 0x2b || byte == 0x2d
          }
      }
  }

  func path(_ name: String) -> String { name.isEmpty ? directory : "\(directory)/\(name)" }

  /// Returns the contents of a zone's file, or `nil` if there is no such file.
  private func read(_ name: String) throws(TimeZoneError) -> [UInt8]? {
    let descriptor = open(path(name), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw unreadable(name, errno)
    }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw unreadable(name, errno) }
    if facts.st_mode & S_IFMT == S_IFDIR { return nil }
    guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= Self.largest else {
      throw TimeZoneError(.damaged, "\(directory)/\(name) isn't the file of a time zone.")
    }
    var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(name, errno) }
      if count == 0 { break }
      filled += count
    }
    return Array(bytes.prefix(filled))
  }

  private func unreadable(_ name: String, _ error: Int32) -> TimeZoneError {
    TimeZoneError(
      .unreadable, "\(directory)/\(name) can't be read: \(String(cString: strerror(error))).")
  }

  private func unknown(_ name: String) -> TimeZoneError {
    let names = names()
    guard !names.isEmpty else {
      return TimeZoneError(
        .unknown,
        "There are no time zones in \(directory). Install the Debian package tzdata, or use UTC.")
    }
    let nearest = NameSuggestion.of(name, among: names)
    return TimeZoneError(
      .unknown,
      "There is no time zone \(name) in \(directory). "
        + (nearest.map { "Did you mean \($0)?" } ?? "Names are like Europe/Berlin or UTC."))
  }
}
