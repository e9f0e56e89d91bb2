internal import AgentJSON
internal import AgentMetrics
internal import AgentModules
internal import AgentSettings
internal import Synchronization

/// Everything that somebody needs who is to help, in one file: a tar archive, packed with gzip, in
/// which no secret is.
public struct SupportBundle: Sendable {
  /// The media type of the file.
  public static let contentType = "application/gzip"
  private static let folder = "bundle"
  /// The most that a bundle may unpack to.
  private static let largest = 256 << 20

  /// The file.
  public let bytes: [UInt8]

  /// A file in it.
  public struct Entry: Sendable, Hashable {
    /// Its path within the archive.
    public let path: String
    /// How many bytes it has.
    public let size: Int
  }

  /// - Parameter files: by their paths.
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
        content: .file(Array(redactor.redact(file.text).utf8), executable: false))
    }
    do {
      bytes = Gzip.packed(try TarArchive.bytes(of: entries))
    } catch {
      throw HostError(.failed, "The bundle can't be created: \(error).")
    }
  }

  /// What is in a bundle.
  /// - Throws: `HostError` when it isn't one.
  public static func contents(of bytes: [UInt8]) throws(HostError) -> [Entry] {
    try files(in: bytes).map { Entry(path: $0.path, size: $0.content.count) }
  }

  static func files(in bytes: [UInt8]) throws(HostError) -> [(path: String, content: [UInt8])] {
    do {
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
  /// The bundle of an agent that doesn't run.
  public func bundle() async throws(HostError) -> SupportBundle {
    let report = await report(checking: true)
    return try bundle(
      ["diagnostics.json": report, "features.json": FeatureReport(SettingsFile.load(folder)).json],
      texts: [])
  }

  /// - Parameters:
  ///   - documents: by file names.
  ///   - texts: other files.
  func bundle(
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

extension AgentHost {
  /// Everything that somebody needs who is to help.
  public func bundle() async throws(HostError) -> SupportBundle {
    let folder = FolderDiagnostics(folder, redactor: settings.redactor)
    let documents: JSONObject = [
      "diagnostics.json": await diagnostics(checking: true), "status.json": await status().json,
      "features.json": await features(),
    ]
    let metrics = PrometheusText.plain.text(await metrics.page())
    let texts = [(path: "metrics.txt", text: String(decoding: metrics, as: UTF8.self))]
    // The newest records are in the files then.
    let outcome = await FileWork.run { [log] () -> Result<SupportBundle, HostError> in
      log.flush()
      do throws(HostError) {
        return .success(try folder.bundle(documents, texts: texts))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}
