internal import AgentModules
internal import CSandbox
internal import Glibc

/// The files that may be read for the function names of a crash report: those that the host loads
/// itself or gave to the worker.
///
/// Rationale: the worker chooses the paths in its report, and a symbolizer runs outside the
/// sandbox. Another path could be a device, a pipe, or a file that is made to harm the symbolizer.
struct KnownImages: Sendable {
  private static let systemFolders = ["/usr/lib/", "/usr/lib64/", "/lib/", "/lib64/"]
  private let files: [String]
  private let folders: [String]

  /// - Parameter files: the worker's program and its module's library.
  init(files: [String]) {
    self.files = files + files.compactMap { FileSystem.realPath($0) }
    folders = Self.systemFolders + Self.runtimeFolders
  }

  /// Returns the regular file of an image, or `nil` if the host doesn't know it.
  func file(_ path: String) -> String? {
    // The path is compared first, so that an unknown file isn't accessed at all.
    guard files.contains(path) || isInFolder(path), let real = FileSystem.realPath(path),
      files.contains(path) || isInFolder(real)
    else { return nil }
    var information = stat()
    // Opening a device or a pipe could block the symbolizer or have side effects.
    guard stat(real, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    return real
  }

  private func isInFolder(_ path: String) -> Bool {
    folders.contains { path.hasPrefix($0) }
  }

  /// The folders of the Swift runtime of this host and its workers, with and without resolved
  /// links.
  private static let runtimeFolders: [String] = {
    var folder = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard sandbox_library_folder("libswiftCore.so", &folder, folder.count) == 0 else { return [] }
    let end = folder.firstIndex(of: 0) ?? folder.endIndex
    let path = String(decoding: folder[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return [path + "/"] + (FileSystem.realPath(path).map { [$0 + "/"] } ?? [])
  }()
}
