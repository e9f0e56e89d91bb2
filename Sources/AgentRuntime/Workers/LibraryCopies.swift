internal import AgentModules
internal import Glibc
internal import Synchronization

/// Copies of module libraries under `.agent/lib/DIGEST/`, so that a library that is built anew gets
/// a path of its own: the loader gives back the old image for a path that it has seen, and a file
/// that is overwritten while it is mapped ends its process.
final class LibraryCopies: Sendable {
  /// What tells whether a file is still the one that was read.
  private struct Identity: Equatable {
    let device: UInt
    let inode: UInt
    let size: Int
    let seconds: Int
    let nanoseconds: Int
  }

  /// A library larger than this isn't copied.
  private static let largest = 1 << 30
  /// `.agent/lib`.
  private let folder: String
  private let known = Mutex<[String: (identity: Identity, copy: String)]>([:])

  init(folder: String) { self.folder = folder }

  /// The copy of a library, made when it isn't there yet. A library that can't be read is its own
  /// copy: the worker then says what is wrong with it.
  func copy(of library: String) -> String {
    guard let identity = Self.identity(of: library) else { return library }
    if let known = known.withLock({ $0[library] }), known.identity == identity {
      return known.copy
    }
    let copy = makeCopy(of: library)
    known.withLock { $0[library] = (identity, copy) }
    return copy
  }

  private func makeCopy(of library: String) -> String {
    guard let bytes = try? FileSystem.read(library, limit: Self.largest) else { return library }
    let name = library.split(separator: "/").last.map(String.init) ?? "library.so"
    let directory = "\(folder)/\(Self.digest(bytes))"
    let target = "\(directory)/\(name)"
    if access(target, R_OK) == 0 { return target }
    mkdir(directory, 0o700)
    do {
      try FileSystem.replace(target, with: bytes, mode: 0o500)
      return target
    } catch {
      return library
    }
  }

  /// Removes the copies that none of these paths is in.
  func removeAll(but used: Set<String>) {
    for entry in FileSystem.names(in: folder) where entry.count == 16 {
      let directory = "\(folder)/\(entry)"
      if used.contains(where: { $0.hasPrefix(directory + "/") }) { continue }
      for file in FileSystem.names(in: directory) { unlink("\(directory)/\(file)") }
      rmdir(directory)
    }
  }

  private static func identity(of path: String) -> Identity? {
    var information = stat()
    guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Identity(
      device: UInt(information.st_dev), inode: UInt(information.st_ino),
      size: Int(information.st_size), seconds: information.st_mtim.tv_sec,
      nanoseconds: information.st_mtim.tv_nsec)
  }

  /// FNV-1a over eight bytes at a time: it tells builds apart, it doesn't guard against anyone.
  private static func digest(_ bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset + 8 <= bytes.count {
        hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        hash = hash &* 0x100_0000_01b3
        hash ^= hash >> 29
        offset += 8
      }
      for byte in bytes[offset...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ UInt64(bytes.count)) &* 0x100_0000_01b3
    }
    let text = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
