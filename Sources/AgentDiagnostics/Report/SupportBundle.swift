package import AgentJSON
internal import AgentMetrics
internal import AgentModules
internal import AgentSettings
internal import AgentSystem
package import AgentWorkers
internal import Synchronization

/// Diagnostics, settings, logs and crash reports in one file for support by another person. The
/// file is a tar archive compressed with gzip. It contains no secrets.
package struct SupportBundle: Sendable {
  /// The media type of the file.
  package static let contentType = "application/gzip"
  private static let folder = "bundle"
  /// The largest size of an unpacked bundle, in bytes.
  private static let largest = 256 << 20

  /// The contents of the file.
  package let bytes: [UInt8]

  /// A file in it.
  package struct Entry: Sendable, Hashable {
    /// The path in the archive.
    package let path: String
    /// The size in bytes.
    package let size: Int
  }

  /// - Parameter files: the files with their paths.
  init(_ files: [(path: String, text: String)], redactor: Redactor) throws(HostError) {
    let note = (
      path: "README.txt",
      text: """
      Diagnostics of an agent's host, for support. Values that are known to be secret
      are replaced by \(Redactor.replacement). Review the files before you share them:

      \(files.map(\.path).joined(separator: "\n"))

      """
    )
    let entries = ([note] + files).map { file in
      TarEntry(
        path: "\(Self.folder)/\(file.path)",
        // Every file is redacted here again, so that a caller that forgets it leaks nothing.
        content: .file(Array(redactor.redact(file.text).utf8), executable: false))
    }
    do {
      bytes = Gzip.packed(try TarArchive.bytes(of: entries))
    } catch {
      throw HostError(.failed, "The bundle can't be created: \(error).")
    }
  }

  /// Returns the files in a bundle.
  /// - Throws: `HostError` if the bytes aren't a bundle.
  package static func contents(of bytes: [UInt8]) throws(HostError) -> [Entry] {
    try files(in: bytes).map { Entry(path: $0.path, size: $0.content.count) }
  }

  static func files(in bytes: [UInt8]) throws(HostError) -> [(path: String, content: [UInt8])] {
    do {
      // The limit is necessary because a small compressed file may unpack to any size.
      return try TarArchive.entries(of: Gzip.unpacked(bytes, limit: largest)).compactMap { entry in
        guard case .file(let content, _) = entry.content else { return nil }
        return (entry.path, content)
      }
    } catch {
      throw HostError(.invalid, "This isn't a bundle: \(error)")
    }
  }
}

extension FolderDiagnostics {
  /// Returns the bundle of an agent that isn't running.
  package func bundle() async throws(HostError) -> SupportBundle {
    let report = await report(checking: true)
    return try bundle(
      ["diagnostics.json": report, "features.json": FeatureReport(SettingsFile.load(folder)).json],
      texts: [])
  }

  /// - Parameters:
  ///   - documents: JSON files, by their names.
  ///   - texts: other files, by their names.
  package func bundle(
    _ documents: JSONObject, texts: [(path: String, text: String)]
  ) throws(HostError) -> SupportBundle {
    var files = documents.map { (path: $0.key, text: $0.value.text(pretty: true) + "\n") } + texts
    files.append(("settings.json", settings.text(pretty: true) + "\n"))
    for file in LogTails(folder: folder.logs, redactor: redactor).files {
      files.append(("logs/\(file.name)", file.text))
    }
    for crash in crashes.entries {
      let name = "crashes/\(FileSystem.lastName(crash.path))"
      files.append((name, redacted(crash.report).text(pretty: true) + "\n"))
    }
    return try SupportBundle(files, redactor: redactor)
  }
}
