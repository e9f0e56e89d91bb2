/// The headers and tables of an ELF file. Nothing in the file is executed.
///
/// It reads only what the loader's checks need. Malformed parts count as absent.
struct ELFFile: ~Copyable {
  struct Section {
    let name: String
    let type: UInt32
    let offset: Int
    let size: Int
    let link: Int
  }

  private let bytes: FileBytes
  /// The class of the file: 1 for 32 bits, 2 for 64 bits.
  let elfClass: UInt8
  /// The processor as `e_machine`.
  let machine: UInt16
  /// The type of the file. 3 is a shared library or a position-independent executable.
  let type: UInt16
  private let sections: [Section]

  /// Reads the header. Returns `nil` if the file isn't ELF.
  init?(_ bytes: consuming FileBytes) {
    guard bytes.integer(UInt32.self, at: 0) == 0x464C_457F,
      let elfClass = bytes.integer(UInt8.self, at: 4), elfClass == 1 || elfClass == 2,
      let type = bytes.integer(UInt16.self, at: 16),
      let machine = bytes.integer(UInt16.self, at: 18)
    else { return nil }
    self.elfClass = elfClass
    self.machine = machine
    self.type = type
    sections = elfClass == 2 ? Self.sections(bytes) : []
    self.bytes = bytes
  }

  /// The libraries that this one needs, by their names in `DT_NEEDED`.
  var needed: [String] {
    guard let dynamic = sections.first(where: { $0.type == 6 }),
      let names = section(dynamic.link)
    else { return [] }
    return entries(of: dynamic, size: 16).compactMap { offset in
      guard bytes.integer(UInt64.self, at: offset) == 1,
        let name = bytes.integer(UInt64.self, at: offset + 8)
      else { return nil }
      return bytes.text(at: names.offset &+ Int(truncatingIfNeeded: name))
    }
  }

  /// Returns whether the file defines and exports a symbol, or `nil` if its symbol table can't be
  /// read.
  func exports(_ symbol: StaticString) -> Bool? {
    guard let table = sections.first(where: { $0.type == 11 }), let names = section(table.link)
    else { return nil }
    return entries(of: table, size: 24).contains { offset in
      guard let name = bytes.integer(UInt32.self, at: offset),
        let index = bytes.integer(UInt16.self, at: offset + 6), index != 0
      else { return false }
      return bytes.holds(symbol, at: names.offset + Int(name))
    }
  }

  /// The text of the note that modules contain: owner `Agent`, type 1.
  var agentNote: String? {
    guard let note = sections.first(where: { $0.name == ".note.agent" }),
      let nameSize = bytes.integer(UInt32.self, at: note.offset), nameSize <= 64,
      let textSize = bytes.integer(UInt32.self, at: note.offset + 4), textSize <= 256,
      bytes.integer(UInt32.self, at: note.offset + 8) == 1,
      bytes.holds("Agent", at: note.offset + 12)
    else { return nil }
    let start = note.offset + 12 + (Int(nameSize) + 3) / 4 * 4
    return bytes.text(at: start, limit: Int(textSize))
  }

  /// The compilers of the parts of the file: the texts of `.comment`.
  var comments: [String] {
    guard let comment = sections.first(where: { $0.name == ".comment" }) else { return [] }
    return bytes.bytes(comment.offset, min(comment.size, 64 << 10))
      .split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  private func section(_ index: Int) -> Section? {
    sections.indices.contains(index) ? sections[index] : nil
  }

  private func entries(of section: Section, size: Int) -> [Int] {
    let end = min(bytes.count, section.offset &+ section.size)
    guard section.offset <= end - size else { return [] }
    return Array(stride(from: section.offset, through: end - size, by: size))
  }

  private static func sections(_ bytes: borrowing FileBytes) -> [Section] {
    guard let table = bytes.integer(UInt64.self, at: 40).flatMap({ Int(exactly: $0) }),
      let count = bytes.integer(UInt16.self, at: 60),
      let nameIndex = bytes.integer(UInt16.self, at: 62), table < bytes.count
    else { return [] }
    let names = offset(bytes, at: table + Int(nameIndex) * 64 + 24) ?? 0
    var sections: [Section] = []
    for header in (0..<Int(count)).map({ table + $0 * 64 }) {
      guard let name = bytes.integer(UInt32.self, at: header),
        let type = bytes.integer(UInt32.self, at: header + 4),
        let start = offset(bytes, at: header + 24), let size = offset(bytes, at: header + 32),
        let link = bytes.integer(UInt32.self, at: header + 40)
      else { break }
      sections.append(
        Section(
          name: bytes.text(at: names + Int(name), limit: 64), type: type, offset: start, size: size,
          link: Int(link)))
    }
    return sections
  }

  /// Returns an offset or a size from the file, or `nil` if it lies beyond the end of the file.
  private static func offset(_ bytes: borrowing FileBytes, at place: Int) -> Int? {
    guard let value = bytes.integer(UInt64.self, at: place) else { return nil }
    return value <= UInt64(bytes.count) ? Int(value) : bytes.count
  }
}
