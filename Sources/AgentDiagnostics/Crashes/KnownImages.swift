internal import AgentModules
internal import CSandbox
internal import Glibc

/// The files whose functions the host names in a crash report: those that it loads itself, or has
/// given to the worker.
///
/// Rationale: the path of an image is the worker's word, and a symbolizer runs outside of the
/// sandbox: it would open a device or a pipe, or read a file that was made to harm it.
struct KnownImages: Sendable {
  private static let systemFolders = ["/usr/lib/", "/usr/lib64/", "/lib/", "/lib64/"]
  private let files: [String]
  private let folders: [String]

  /// - Parameter files: what the worker was given: its own program and its module's library.
  init(files: [String]) {
    self.files = files + files.compactMap { FileSystem.realPath($0) }
    folders = Self.systemFolders + Self.runtimeFolders
  }

  /// The regular file that an image's path names; nil when the host doesn't know it.
  func file(_ path: String) -> String? {
    // The path itself first: nothing else is even looked at.
    guard files.contains(path) || isInFolder(path), let real = FileSystem.realPath(path),
      files.contains(path) || isInFolder(real)
    else { return nil }
    var information = stat()
    // A device or a pipe would block the symbolizer, or do something when it is opened.
    guard stat(real, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    return real
  }

  private func isInFolder(_ path: String) -> Bool {
    folders.contains { path.hasPrefix($0) }
  }

  /// Where the Swift runtime is that the host uses, and so its workers; as it is named, and in
  /// truth.
  private static let runtimeFolders: [String] = {
    var folder = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard sandbox_library_folder("libswiftCore.so", &folder, folder.count) == 0 else { return [] }
    let end = folder.firstIndex(of: 0) ?? folder.endIndex
    let path = String(decoding: folder[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return [path + "/"] + (FileSystem.realPath(path).map { [$0 + "/"] } ?? [])
  }()
}
