internal import AgentJSON

/// The report that a worker wrote to its crash pipe.
///
/// It is input: every module can write to that pipe, whatever it likes. Values out of bounds are
/// left out here, so that nothing behind this type meets them.
package struct CrashReport: Sendable, Equatable {
  /// The most bytes that are read of a report.
  static let maxBytes = 256 << 10
  /// The most program counters; `agent-worker` writes no more.
  static let maxCounters = 128
  /// The most images that are looked at.
  static let maxImages = 1024
  /// The longest path of an image: `PATH_MAX`.
  static let maxPathBytes = 4096

  /// A file that was loaded into the worker.
  struct Image: Sendable, Equatable {
    let path: String
    let base: UInt64
  }

  /// The signal that the worker names, where that can be one.
  let signal: Int?
  /// The address that was touched.
  let address: UInt64?
  /// Where it happened, innermost first; all but the first are return addresses.
  let counters: [UInt64]
  /// The files that were loaded into the worker.
  let images: [Image]

  /// Reads a report; nil when it isn't a JSON object.
  init?(parsing bytes: [UInt8]) {
    let limits = JSONLimits(maxDepth: 8, maxBytes: Self.maxBytes)
    guard let root = try? JSONDocument(parsing: bytes, limits: limits).root, root.kind == .object
    else { return nil }
    // Linux has 64 signals. Another number would be shown as one all the same.
    signal = root["signal"]?.int.flatMap { (1...64).contains($0) ? $0 : nil }
    address = root["address"].flatMap(Self.address)
    let counters = root["pcs"]?.elements.prefix(Self.maxCounters).compactMap(Self.address)
    self.counters = counters ?? []
    images = root["images"]?.elements.prefix(Self.maxImages).compactMap(Image.init) ?? []
  }

  /// A number that isn't negative, or a text such as `0x7f00`.
  fileprivate static func address(_ node: JSONNode) -> UInt64? {
    guard let text = node.string else { return node.int.flatMap { UInt64(exactly: $0) } }
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
    // A sign is taken by the initializer, and is none of an address.
    guard digits.utf8.count <= 16, digits.first?.isHexDigit == true else { return nil }
    return UInt64(digits, radix: 16)
  }
}

extension CrashReport.Image {
  init?(_ node: JSONNode) {
    // A control character in a path would reach the log and the terminal.
    guard let path = node["path"]?.string, path.utf8.count <= CrashReport.maxPathBytes,
      !path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
      let base = node["base"].flatMap(CrashReport.address)
    else { return nil }
    (self.path, self.base) = (path, base)
  }
}
