import AgentKit
import Glibc

/// Copies files and folders into an archive.
struct DataBackup: Action {
  static let name = "data_backup"

  /// What takes the place of what an input doesn't say.
  struct Settings: Codable, Sendable {
    var sources: [String]?
    var target: String?
  }

  /// What is copied where.
  struct Input: Codable, Sendable {
    var sources: [String]?
    var target: String?
    var name: String?
  }

  /// What came of it.
  struct Output: Codable, Sendable {
    /// The archive.
    let file: String
    /// The digest of the archive.
    let sha256: String
    /// Files in it, folders and links not counted.
    let files: Int
    /// The bytes of the files.
    let bytes: UInt64
    /// The bytes of the archive.
    let size: UInt64
    /// What is neither file, folder nor link.
    let skipped: [String]
  }

  private let settings: Settings
  private let host: AgentHost

  init(settings: Settings, host: AgentHost) { (self.settings, self.host) = (settings, host) }

  func perform(_ input: Input, progress: ActionProgress) async throws -> Output {
    let sources = input.sources ?? settings.sources ?? []
    guard !sources.isEmpty, let target = input.target ?? settings.target else {
      throw ModuleError(
        .invalidArgument,
        "A backup needs \"sources\" and a \"target\": in its input, or in the settings under "
          + "modules.system.actions.data_backup.settings.")
    }
    for path in sources + [target] where !path.hasPrefix("/") {
      throw ModuleError(.invalidArgument, "\(path): expected an absolute path.")
    }
    let name = input.name ?? "backup"
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
      throw ModuleError(.invalidArgument, "\"\(name)\" can't be a part of a file's name.")
    }
    return try archive(
      sources, to: "\(target)/\(name)-\(Self.stamp(host.now)).tar", progress: progress)
  }

  private func archive(
    _ sources: [String], to path: String, progress: ActionProgress
  ) throws -> Output {
    var archive = try TarArchive(path: path)
    var files = 0
    var bytes = UInt64(0)
    var skipped = [String]()
    for (index, source) in sources.enumerated() {
      progress.report(Double(index) / Double(sources.count), source)
      var open = [source]
      while let path = open.popLast() {
        try Task.checkCancellation()
        host.heartbeat()
        var status = stat()
        guard lstat(path, &status) == 0 else { throw Refusal.error("read", path, key: "read") }
        if FileIdentity(status) == archive.identity { continue }
        let name = String(path.drop { $0 == "/" })
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
          if !name.isEmpty { _ = try archive.add(path, as: name, status) }
          open += try Self.entries(of: path).reversed()
        case S_IFREG:
          bytes += try archive.add(path, as: name, status)
          files += 1
        case S_IFLNK: _ = try archive.add(path, as: name, status)
        default: skipped.append(path)
        }
      }
    }
    let digest = try archive.finish()
    return Output(
      file: archive.path, sha256: digest, files: files, bytes: bytes, size: archive.size,
      skipped: skipped)
  }

  private static func entries(of folder: String) throws -> [String] {
    guard let stream = opendir(folder) else { throw Refusal.error("read", folder, key: "read") }
    closedir(stream)
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return names(in: folder).filter { $0 != "." && $0 != ".." }.sorted().map { base + $0 }
  }

  /// The moment in UTC, as a part of a file's name.
  private static func stamp(_ milliseconds: Int64) -> String {
    var seconds = time_t(milliseconds / 1_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ number: Int32, _ width: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return digits(parts.tm_year + 1900, 4) + digits(parts.tm_mon + 1) + digits(parts.tm_mday) + "T"
      + digits(parts.tm_hour) + digits(parts.tm_min) + digits(parts.tm_sec) + "Z"
  }
}
