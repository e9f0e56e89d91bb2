/// A file or folder in an archive.
package struct TarEntry: Hashable, Sendable {
  /// The content of an entry.
  package enum Content: Hashable, Sendable {
    case folder
    case file([UInt8], executable: Bool)
  }

  /// The relative path, with `/` between names.
  package let path: String
  package let content: Content

  package init(path: String, content: Content) {
    self.path = path
    self.content = content
  }
}

/// The reasons why an archive can't be written or read.
package enum TarFailure: Error, Hashable {
  case pathTooLong(String)
  case fileTooLarge(String)
  case damaged(offset: Int)
  case cutShort
  case tooManyEntries
  case unreadablePath(offset: Int)
  case unsupported(path: String, kind: Character)
}

/// Reads and writes archives in the POSIX ustar format, uncompressed, with folders and regular
/// files only.
///
/// The same entries give the same bytes, because owners and times are left out.
package enum TarArchive {
  static let block = 512

  // MARK: Writing

  package static func bytes(of entries: [TarEntry]) throws(TarFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    for entry in entries {
      bytes += try header(of: entry)
      if case .file(let content, _) = entry.content {
        bytes += content
        bytes += [UInt8](repeating: 0, count: padding(content.count))
      }
    }
    return bytes + [UInt8](repeating: 0, count: 2 * block)
  }

  private static func header(of entry: TarEntry) throws(TarFailure) -> [UInt8] {
    guard let (prefix, name) = split(entry.path) else { throw .pathTooLong(entry.path) }
    var header = TarHeader()
    header.set(.name, name)
    header.set(.prefix, prefix)
    header.set(.magic, "ustar\u{0}00")
    switch entry.content {
    case .folder:
      header.set(.mode, octal: 0o755)
      header.set(.size, octal: 0)
      header.set(.kind, "5")
    case .file(let content, let executable):
      guard content.count < 1 << 33 else { throw .fileTooLarge(entry.path) }
      header.set(.mode, octal: executable ? 0o755 : 0o644)
      header.set(.size, octal: content.count)
      header.set(.kind, "0")
    }
    return header.sealed
  }

  /// Splits a path into a name of up to 100 bytes and a prefix of up to 155 bytes.
  private static func split(_ path: String) -> (prefix: [UInt8], name: [UInt8])? {
    let bytes = Array(path.utf8)
    if bytes.count <= 100 { return ([], bytes) }
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
      let name = bytes[(index + 1)...]
      if index <= 155, name.count <= 100, !name.isEmpty {
        return (Array(bytes[..<index]), Array(name))
      }
    }
    return nil
  }

  private static func padding(_ size: Int) -> Int { (block - size % block) % block }

  // MARK: Reading

  /// The largest number of files and folders in an archive.
  package static let maxEntries = 100_000

  /// Reads the entries. It doesn't check their paths; the caller must do that.
  package static func entries(of bytes: [UInt8]) throws(TarFailure) -> [TarEntry] {
    var entries: [TarEntry] = []
    var offset = 0
    while offset + block <= bytes.count {
      let header = TarHeader(bytes[offset..<offset + block])
      if header.isEnd { return entries }
      guard header.isSound, let size = header.size else { throw .damaged(offset: offset) }
      guard entries.count < maxEntries else { throw .tooManyEntries }
      guard let path = header.path else { throw .unreadablePath(offset: offset) }
      offset += block
      guard size <= bytes.count - offset else { throw .cutShort }
      entries.append(try entry(header, at: path, bytes[offset..<offset + size]))
      // This can't overflow, because the sizes are checked against the length of the archive.
      offset += size + padding(size)
    }
    throw .cutShort
  }

  private static func entry(
    _ header: TarHeader, at path: String, _ content: ArraySlice<UInt8>
  ) throws(TarFailure) -> TarEntry {
    switch header.kind {
    case UInt8(ascii: "0"), 0:
      return TarEntry(
        path: path, content: .file(Array(content), executable: header.isExecutable))
    case UInt8(ascii: "5"): return TarEntry(path: path, content: .folder)
    case let other:
      throw .unsupported(path: path, kind: Character(Unicode.Scalar(other)))
    }
  }
}

/// A header block.
struct TarHeader {
  /// The offset and the length of each field (POSIX.1-1988).
  enum Field {
    case name, mode, size, checksum, kind, magic, prefix

    var range: Range<Int> {
      switch self {
      case .name: 0..<100
      case .mode: 100..<108
      case .size: 124..<136
      case .checksum: 148..<156
      case .kind: 156..<157
      case .magic: 257..<265
      case .prefix: 345..<500
      }
    }
  }

  private var bytes: [UInt8]

  init() { bytes = [UInt8](repeating: 0, count: TarArchive.block) }

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

  mutating func set(_ field: Field, _ text: String) { set(field, Array(text.utf8)) }

  mutating func set(_ field: Field, _ text: [UInt8]) {
    let range = field.range
    bytes.replaceSubrange(range.lowerBound..<range.lowerBound + text.count, with: text)
  }

  /// Writes a number in octal digits with leading zeros and a zero byte at the end.
  mutating func set(_ field: Field, octal number: Int) {
    let digits = String(number, radix: 8)
    let width = field.range.count - 1
    set(field, String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits)
  }

  /// The block with its checksum.
  var sealed: [UInt8] {
    var header = self
    header.set(.checksum, octal: sum)
    return header.bytes
  }

  /// The sum of all bytes. The checksum's own bytes count as spaces.
  private var sum: Int {
    var sum = 0
    for index in bytes.indices {
      sum += Field.checksum.range.contains(index) ? 32 : Int(bytes[index])
    }
    return sum
  }

  var isEnd: Bool { bytes.allSatisfy { $0 == 0 } }
  var isSound: Bool { octal(.checksum) == sum && bytes[257..<262].elementsEqual("ustar".utf8) }
  var size: Int? { octal(.size) }
  var kind: UInt8 { bytes[Field.kind.range.lowerBound] }
  var isExecutable: Bool { (octal(.mode) ?? 0) & 0o100 != 0 }

  /// The prefix and the name. `nil` if they aren't UTF-8, because a repair could make two paths
  /// equal.
  var path: String? {
    guard let prefix = text(.prefix), let name = text(.name) else { return nil }
    return prefix.isEmpty ? name : prefix + "/" + name
  }

  private func text(_ field: Field) -> String? {
    String(validating: bytes[field.range].prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Reads a number of digits only. `Int(_:radix:)` would accept a sign, but a size can't be
  /// negative.
  private func octal(_ field: Field) -> Int? {
    let digits = bytes[field.range].prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 8)
  }
}
