import Glibc

/// A folder that is removed with its files when nobody refers to it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    // In memory, where there is such a place: a test waits for no disk.
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/store-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FolderError() }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  struct FolderError: Error {}

  func file(_ name: String) -> String { "\(path)/\(name)" }

  deinit {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { unlink(file(name)) }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}

/// Copies a file byte by byte.
func copy(_ path: String, to other: String) throws {
  struct CopyError: Error { let path: String }
  guard let source = fopen(path, "r"), let target = fopen(other, "w") else {
    throw CopyError(path: path)
  }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&bytes, 1, bytes.count, source), count > 0 {
    fwrite(bytes, 1, count, target)
  }
  fclose(source)
  fclose(target)
}
