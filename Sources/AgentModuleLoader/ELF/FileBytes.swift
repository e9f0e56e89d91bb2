import Glibc

/// The bytes of a mapped file. Every access is checked against the file's size.
struct FileBytes: ~Copyable {
  private let base: UnsafeRawPointer
  let count: Int

  /// Maps a file.
  /// - Throws: the error number of the failed call.
  init(path: String) throws(Errno) {
    // Without O_NONBLOCK, `open` would wait for a writer if the path is a named pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Errno(code: errno) }
    defer { close(descriptor) }
    var about = stat()
    guard fstat(descriptor, &about) == 0 else { throw Errno(code: errno) }
    guard about.st_mode & S_IFMT == S_IFREG else { throw Errno(code: EISDIR) }
    guard about.st_size > 0 else { throw Errno(code: ENOEXEC) }
    let map = mmap(nil, Int(about.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let map, map != MAP_FAILED else { throw Errno(code: errno) }
    base = UnsafeRawPointer(map)
    count = Int(about.st_size)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: base), count)
  }

  func integer<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int) -> Value? {
    guard offset >= 0, offset <= count - MemoryLayout<Value>.size else { return nil }
    return Value(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// Returns the bytes of a range, up to the end of the file.
  func bytes(_ offset: Int, _ length: Int) -> [UInt8] {
    guard offset >= 0, length > 0, offset < count else { return [] }
    return Array(UnsafeRawBufferPointer(start: base + offset, count: min(length, count - offset)))
  }

  /// Returns the text up to the next zero byte.
  func text(at offset: Int, limit: Int = 4096) -> String {
    String(decoding: bytes(offset, limit).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Returns whether the text and a zero byte are at this offset.
  func holds(_ text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, offset <= count - length - 1 else { return false }
    return memcmp(base + offset, text.utf8Start, length) == 0
      && base.load(fromByteOffset: offset + length, as: UInt8.self) == 0
  }
}

/// An error number of the system.
struct Errno: Error {
  let code: Int32

  var message: String {
    String(cString: strerror(code))
  }
}
