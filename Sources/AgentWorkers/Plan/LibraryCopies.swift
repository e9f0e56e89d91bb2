internal import AgentModules
internal import AgentText
internal import CSodium
internal import Glibc
internal import Synchronization

/// Copies module libraries to `.agent/lib/DIGEST/`, so that a library that is built again gets a
/// path of its own. If a path was loaded before, the loader returns the old image. If a file is
/// overwritten while a process has mapped it, the process ends.
package final class LibraryCopies: Sendable {
  /// Identifies the file that the host has read. If the identity of a library is unchanged, the
  /// host doesn't read the library again.
  private struct Identity: Equatable {
    let device: UInt
    let inode: UInt
    let size: Int
    let seconds: Int
    let nanoseconds: Int
  }

  /// The limit of a library's size, in bytes. A larger library isn't copied.
  private static let largest = 1 << 30
  /// The path of `.agent/lib`.
  private let folder: String
  private let known = Mutex<[String: (identity: Identity, copy: String)]>([:])

  package init(folder: String) { self.folder = folder }

  /// Returns the path of a library's copy. If there is no copy yet, the host makes it. If the
  /// library can't be read or copied, the path of the library itself is returned, and the worker
  /// reports what is wrong with it. Reads the whole file, unless its identity is unchanged. Any
  /// thread.
  package func copy(of library: String) -> String {
    guard let identity = Self.identity(of: library) else { return library }
    if let known = known.withLock({ $0[library] }), known.identity == identity {
      return known.copy
    }
    // The lock isn't held here, because this reads and writes files. Two threads at once make the
    // same copy.
    let copy = makeCopy(of: library)
    known.withLock { $0[library] = (identity, copy) }
    return copy
  }

  private func makeCopy(of library: String) -> String {
    guard let bytes = try? FileSystem.read(library, limit: Self.largest) else { return library }
    let name = library.split(separator: "/").last.map(String.init) ?? "library.so"
    let directory = "\(folder)/\(Self.digest(bytes))"
    let target = "\(directory)/\(name)"
    // The host compares the bytes and doesn't trust the name. A program that can write here, or a
    // disk that fails, could have stored other bytes.
    if let present = try? FileSystem.read(target, limit: Self.largest), present == bytes {
      return target
    }
    mkdir(directory, 0o700)
    do {
      // The copy isn't writable, because its content must always match its digest.
      try FileSystem.replace(target, with: bytes, mode: 0o500)
      return target
    } catch {
      return library
    }
  }

  /// Removes every copy whose path isn't among the `used` paths.
  package func removeAll(but used: Set<String>) {
    // The host has made no entries with other names, so these stay.
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

  /// Returns whether a name is a digest. A digest has 64 digits, or 16 in folders of earlier
  /// versions.
  private static func isDigest(_ name: String) -> Bool {
    (name.utf8.count == 64 || name.utf8.count == 16)
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Returns the SHA-256 of a library, in hexadecimal. No module can make a library that has the
  /// digest of another module's library.
  private static func digest(_ bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&digest, bytes, UInt64(clamping: bytes.count))
    return Hexadecimal.text(of: digest)
  }
}
