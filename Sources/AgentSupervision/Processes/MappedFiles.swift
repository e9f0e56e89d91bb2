import Glibc

/// Finds the nameless memory that a process has mapped: files in memory whose descriptor may be
/// closed, and shared memory without a file. Their pages stay when the process drops them.
enum MappedFiles {
  /// The number of bytes of `/proc/PID/maps` that are read for a process. The most mappings that a
  /// process may have take 3 MB, unless the paths of their files are long.
  static let maxBytes = 16 << 20
  /// Counted for a process with more than that. No limit permits it: its mappings may hide any
  /// memory.
  static let unknown = 1 << 50

  /// The largest file that the sandbox permits to a module that may write nothing, in bytes.
  private static let sandboxLimit = 256 << 20

  private enum Listing {
    case mappings([NamelessMapping])
    /// There are more than are read.
    case tooLong
    /// The kernel doesn't show them to this host.
    case refused
  }

  /// Returns the bytes of these files outside of `known`, and adds the files to `known`. Returns `nil`
  /// if the process keeps them from the host.
  ///
  /// Only a host of root may see the size of a file by its mapping. For another host, a file in
  /// memory counts as the largest that the process may make, and shared memory without a file as what
  /// is mapped of it.
  static func bytes(of pid: Int32, butFor known: inout Set<MemoryFiles.Identity>) -> Int? {
    let mappings: [NamelessMapping]
    switch listing(of: pid) {
    case .mappings(let found): mappings = found
    case .tooLong: return unknown
    // A program that its user can't read is hidden from a host that isn't root, and so is one that
    // runs as another user. The latter is no part of a sandbox, which forbids new privileges.
    case .refused: return ProcessStat.status("NoNewPrivs", of: pid) == 0 ? 0 : nil
    }
    let spans = Dictionary(grouping: mappings, by: \.file)
    var bytes = 0
    for (file, mappings) in spans where !known.contains(file) {
      known.insert(file)
      bytes &+= size(of: mappings, in: pid)
    }
    return bytes
  }

  private static func size(of mappings: [NamelessMapping], in pid: Int32) -> Int {
    guard let first = mappings.first else { return 0 }
    var about = stat()
    if stat("/proc/\(pid)/map_files/\(first.range)", &about) == 0 {
      return Int(clamping: about.st_blocks).multipliedReportingOverflow(by: 512).partialValue
    }
    let mapped = mappings.reduce(0) { $0 &+ $1.length }
    // No limit bounds shared memory without a file, and pages that were dropped stay in it. It is
    // refused to a worker that has neither `run` nor a permission to write /dev/zero.
    guard first.isFile else { return mapped }
    // The sandbox of a module that may write nothing sets this limit. Another limit is that of the
    // machine, and far more than a file in memory has.
    guard let largest = largestFile(of: pid), largest <= sandboxLimit else { return mapped }
    return largest
  }

  /// Returns the limit of a process for the size of its files, `nil` if it has none.
  private static func largestFile(of pid: Int32) -> Int? {
    ProcessStat.withFile("/proc/\(pid)/limits", size: 4096) { text in
      text.split(separator: UInt8(ascii: "\n")).lazy.compactMap { line -> Int? in
        guard line.starts(with: "Max file size".utf8) else { return nil }
        let digits = line.drop { $0 < 0x30 || $0 > 0x39 }.prefix { $0 >= 0x30 && $0 <= 0x39 }
        return Int(String(decoding: digits, as: UTF8.self))
      }.first
    }
  }

  private static func listing(of pid: Int32) -> Listing {
    let file = open("/proc/\(pid)/maps", O_RDONLY | O_CLOEXEC)
    // A process that has ended has no mappings. A host without descriptors looks again later.
    guard file >= 0 else { return errno == EACCES || errno == EPERM ? .refused : .mappings([]) }
    defer { _ = close(file) }
    var found: [NamelessMapping] = []
    var read = 0
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      var kept = 0
      while read < maxBytes {
        guard let start = buffer.baseAddress, kept < buffer.count else { return }
        let count = Glibc.read(file, start + kept, buffer.count &- kept)
        guard count > 0 else { return }
        read &+= count
        let text = UnsafeRawBufferPointer(start: start, count: kept &+ count)
        kept = take(text, into: &found)
        // The beginning of the next line.
        memmove(start, start + (text.count &- kept), kept)
      }
    }
    return read < maxBytes ? .mappings(found) : .tooLong
  }

  /// Reads the whole lines of a text. Returns the number of bytes behind them.
  private static func take(
    _ text: UnsafeRawBufferPointer, into found: inout [NamelessMapping]
  ) -> Int {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let rest = lines.popLast()?.count ?? 0
    found += lines.compactMap { NamelessMapping($0) }
    return rest
  }
}

/// A mapping of a file in memory or of shared memory without a file, as `/proc/PID/maps` shows it.
struct NamelessMapping {
  let file: MemoryFiles.Identity
  /// Whether it is a file in memory, and not shared memory without a file.
  let isFile: Bool
  /// The addresses, as `/proc/PID/map_files` names them.
  let range: String
  let length: Int

  /// Reads a line such as `7f00-7f10 rw-s 00000000 00:01 25   /memfd:x (deleted)`. Returns `nil` for
  /// any other mapping.
  init?(_ line: Slice<UnsafeRawBufferPointer>) {
    let space = UInt8(ascii: " ")
    // Most lines name nothing or another file, so they aren't read as a whole.
    guard line.contains(UInt8(ascii: "/")) else { return nil }
    let fields = line.split(separator: space, maxSplits: 5)
    guard fields.count == 6, let name = fields.last?.drop(while: { $0 == space }) else {
      return nil
    }
    isFile = name.starts(with: "/memfd:".utf8)
    guard isFile || name.elementsEqual("/dev/zero (deleted)".utf8) else { return nil }
    var rest = fields.makeIterator()
    guard let addresses = rest.next().flatMap({ Self.pair($0, "-") }), rest.next() != nil,
      rest.next() != nil, let device = rest.next().flatMap({ Self.pair($0, ":") }),
      let inode = rest.next().flatMap({ UInt(String(decoding: $0, as: UTF8.self)) }),
      addresses.first <= addresses.second
    else { return nil }
    // As `st_dev` has it.
    let minor = device.second
    let number = (device.first & 0xFFF) << 8 | minor & 0xFF | (minor & ~0xFF) << 12
    file = MemoryFiles.Identity(device: number, inode: inode)
    range = String(addresses.first, radix: 16) + "-" + String(addresses.second, radix: 16)
    length = Int(clamping: addresses.second &- addresses.first)
  }

  /// Reads two hexadecimal numbers with a separator between them.
  private static func pair(
    _ text: Slice<UnsafeRawBufferPointer>, _ separator: Unicode.Scalar
  ) -> (first: UInt, second: UInt)? {
    let numbers = text.split(separator: UInt8(ascii: separator)).map(hexadecimal)
    guard numbers.count == 2, let first = numbers.first ?? nil, let second = numbers.last ?? nil
    else { return nil }
    return (first, second)
  }

  private static func hexadecimal(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt? {
    UInt(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
