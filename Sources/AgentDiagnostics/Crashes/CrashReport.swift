internal import AgentJSON

/// The report that a worker wrote to its crash pipe.
///
/// It is untrusted, because a module can write anything to that pipe. Values out of bounds are left
/// out here, so that no other code receives them.
package struct CrashReport: Sendable, Equatable {
  /// The largest report that is read, in bytes.
  static let maxBytes = 256 << 10
  /// The largest number of program counters. `agent-worker` writes no more.
  static let maxCounters = 128
  /// The largest number of images that are examined.
  static let maxImages = 1024
  /// The longest path of an image, in bytes: `PATH_MAX`.
  static let maxPathBytes = 4096

  /// A file that was loaded into the worker.
  struct Image: Sendable, Equatable {
    let path: String
    let base: UInt64
  }

  /// The number of the signal. `nil` if the worker named an impossible one.
  let signal: Int?
  /// The memory address whose access failed.
  let address: UInt64?
  /// The program counters, innermost first. All but the first are return addresses.
  let counters: [UInt64]
  /// The files that were loaded into the worker.
  let images: [Image]

  /// Reads a report. Returns `nil` if it isn't a JSON object.
  init?(parsing bytes: [UInt8]) {
    let limits = JSONLimits(maxDepth: 8, maxBytes: Self.maxBytes)
    guard let root = try? JSONDocument(parsing: bytes, limits: limits).root, root.kind == .object
    else { return nil }
    // Linux has 64 signals. Any other number isn't a signal.
    signal = root["signal"]?.int.flatMap { (1...64).contains($0) ? $0 : nil }
    address = root["address"].flatMap(Self.address)
    let counters = root["pcs"]?.elements.prefix(Self.maxCounters).compactMap(Self.address)
    self.counters = counters ?? []
    images = root["images"]?.elements.prefix(Self.maxImages).compactMap(Image.init) ?? []
  }

  /// Returns a non-negative number, or the value of a text such as `0x7f00`.
  fileprivate static func address(_ node: JSONNode) -> UInt64? {
    guard let text = node.string else { return node.int.flatMap { UInt64(exactly: $0) } }
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
    // The initializer would accept a sign, which an address can't have.
    guard digits.utf8.count <= 16, digits.first?.isHexDigit == true else { return nil }
    return UInt64(digits, radix: 16)
  }
}

extension CrashReport.Image {
  init?(_ node: JSONNode) {
    // The path goes to the log and the terminal, so control characters are refused.
    guard let path = node["path"]?.string, path.utf8.count <= CrashReport.maxPathBytes,
      !path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
      let base = node["base"].flatMap(CrashReport.address)
    else { return nil }
    (self.path, self.base) = (path, base)
  }
}
