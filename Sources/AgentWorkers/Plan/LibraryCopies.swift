internal import AgentModules
internal import AgentText
internal import CSodium
internal import Glibc
internal import Synchronization

/// Copies of module libraries under `.agent/lib/DIGEST/`, so that a library that is built anew gets
/// a path of its own: the loader returns the old image for a path that it has seen, and a file
/// that is overwritten while it is mapped ends its process.
package final class LibraryCopies: Sendable {
  /// Identifies the file that was read: by these a library that wasn't touched is known without
  /// reading it again.
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

  package init(folder: String) { self.folder = folder }

  /// The copy of a library, made when it isn't there yet. A library that can't be read or copied is
  /// returned itself: the worker then says what is wrong with it. Reads the whole file; any thread.
  package func copy(of library: String) -> String {
    guard let identity = Self.identity(of: library) else { return library }
    if let known = known.withLock({ $0[library] }), known.identity == identity {
      return known.copy
    }
    // Without the lock, since it reads and writes the file. Two threads at once make the same
    // copy.
    let copy = makeCopy(of: library)
    known.withLock { $0[library] = (identity, copy) }
    return copy
  }

  private func makeCopy(of library: String) -> String {
    guard let bytes = try? FileSystem.read(library, limit: Self.largest) else { return library }
    let name = library.split(separator: "/").last.map(String.init) ?? "library.so"
    let directory = "\(folder)/\(Self.digest(bytes))"
    let target = "\(directory)/\(name)"
    // Not by its name alone: who can write here, or a disk that fails, could have put anything
    // there.
    if let present = try? FileSystem.read(target, limit: Self.largest), present == bytes {
      return target
    }
    mkdir(directory, 0o700)
    do {
      // Not writable: a copy must stay what its digest says.
      try FileSystem.replace(target, with: bytes, mode: 0o500)
      return target
    } catch {
      return library
    }
  }

  /// Removes the copies that none of these paths is in.
  package func removeAll(but used: Set<String>) {
    // Other names aren't the host's, and stay.
    for entry in FileSystem.names(in: folder) where Self.isDigest(entry) {
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

  /// Folders of earlier versions have 16 digits.
  private static func isDigest(_ name: String) -> Bool {
    (name.utf8.count == 64 || name.utf8.count == 16)
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// SHA-256, in hexadecimal: what one module is loaded from can't be made to be another's.
  private static func digest(_ bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&digest, bytes, UInt64(clamping: bytes.count))
    return Hexadecimal.text(of: digest)
  }
}
