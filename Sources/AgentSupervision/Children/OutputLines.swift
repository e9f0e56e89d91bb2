/// The limits of a child's standard output and standard error.
public struct OutputLimits: Sendable, Equatable {
  /// The length after which a line is cut, in bytes.
  public var lineBytes: Int
  /// The number of lines that may come at once.
  public var burst: Int
  /// The average number of lines a second. Further lines are counted and dropped.
  public var linesPerSecond: Int

  public init(lineBytes: Int = 8192, burst: Int = 500, linesPerSecond: Int = 100) {
    self.lineBytes = max(1, lineBytes)
    self.burst = max(1, burst)
    self.linesPerSecond = max(1, linesPerSecond)
  }
}

/// Splits a child's output into lines and drops the lines beyond the limits.
struct OutputLines {
  /// The result of reading bytes.
  enum Item: Equatable {
    case line(String)
    case dropped(Int)
  }

  private let limits: OutputLimits
  private var partial: [UInt8] = []
  private var isCut = false
  private var rateLimit: RateLimit

  init(limits: OutputLimits) {
    self.limits = limits
    rateLimit = RateLimit(limits)
  }

  /// Whether lines are being dropped.
  var isFlooded: Bool { rateLimit.isExceeded }

  /// Processes bytes and returns the lines that they complete.
  mutating func append(_ bytes: UnsafeRawBufferPointer, at now: LoopInstant) -> [Item] {
    rateLimit.refill(at: now)
    var items: [Item] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      keep(rest[..<end])
      endLine(&items)
      rest = rest[(end + 1)...]
    }
    keep(rest)
    return items
  }

  /// Returns the unfinished last line, and the number of lines that were dropped last.
  mutating func finish() -> [Item] {
    var items: [Item] = []
    if !partial.isEmpty { endLine(&items) }
    let dropped = rateLimit.takeRefused()
    if dropped > 0 { items.append(.dropped(dropped)) }
    return items
  }

  private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
    let space = limits.lineBytes - partial.count
    if bytes.count > space {
      isCut = true
      // The part that is cut off was read too, so it counts against the limit.
      rateLimit.spend(bytes: bytes.count - max(0, space))
    }
    if space > 0, !bytes.isEmpty { partial.append(contentsOf: bytes.prefix(space)) }
  }

  private mutating func endLine(_ items: inout [Item]) {
    defer {
      partial = []
      isCut = false
    }
    guard let dropped = rateLimit.take() else { return }
    if dropped > 0 { items.append(.dropped(dropped)) }
    if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
    let text = String(decoding: partial, as: UTF8.self)
    items.append(.line(isCut ? text + " … (cut)" : text))
  }
}
