/// The complete rows of the last part of an index, for a monitor that computes over them.
/// live-agent's monitors keep the same of their queries' rows.
///
/// It has no clock and does no I/O: the caller passes rows and the time. docs/modules-swift-host.md
/// has its rules.
///
/// ```swift
/// var window = SlidingWindow(
///   of: ["POFR", "BRD1"], index: .mnemonic("ETIM", unit: .seconds(1)), duration: .seconds(60))
/// if window.take(row, at: host.now).moved { check(window.numbers("POFR")) }
/// ```
public struct SlidingWindow: Sendable, Hashable {
  /// The value that gives a row's position.
  public enum Index: Sendable, Hashable {
    /// The row's timestamp.
    case timestamp
    /// A column, and the duration of one unit of it: `.seconds(1)` where it counts seconds.
    case mnemonic(String, unit: Duration)
  }

  /// A row of the window.
  public struct Row: Sendable, Hashable {
    /// The row's position: a value of the index, or Unix milliseconds.
    public let position: Double
    /// The original row.
    public let row: QueryRow
    /// The values in the order of the mnemonics, including those carried forward.
    let values: [JSONValue]
  }

  /// What happened to a row.
  public enum Outcome: Sendable, Hashable {
    /// The row is in the window, which may have moved with it.
    case added
    /// The index was set back. The row and the late ones right before it begin a new window.
    case restarted
    /// These mnemonics, or the index, are missing. The row isn't kept.
    case incomplete([String])
    /// Another row has the same position. The earlier one is kept.
    case duplicate
    /// The row's position is before the window's beginning. It isn't kept.
    case late

    /// Whether the row changed the window.
    public var moved: Bool { self == .added || self == .restarted }
  }

  /// The mnemonics that a row needs.
  public let mnemonics: [String]
  /// The value that gives a row's position.
  public let index: Index
  /// How far the window reaches back from its last row. Both ends belong to the window.
  public let duration: Duration
  /// How far a value may be carried forward to rows that lack it; not at all when `nil`.
  public let carry: Duration?
  /// The time without a value after which a mnemonic counts as missing.
  public let patience: Duration
  /// The number of consecutive late rows after which the window begins anew.
  public let restartAfter: Int
  /// The largest number of rows; the oldest are removed.
  public let capacity: Int

  var store = RowStore()
  var known: [String: Known] = [:]
  var lateRows: [Row] = []
  var absence: Absence

  struct Known: Sendable, Hashable {
    var position: Double
    var value: JSONValue
  }

  /// Makes an empty window.
  public init(
    of mnemonics: [String], index: Index = .timestamp, duration: Duration, carry: Duration? = nil,
    patience: Duration = .seconds(60), restartAfter: Int = 3, capacity: Int = 100_000
  ) {
    self.mnemonics = mnemonics
    self.index = index
    self.duration = duration
    self.carry = carry
    self.patience = patience
    self.restartAfter = max(1, restartAfter)
    self.capacity = max(1, capacity)
    absence = Absence(mnemonics)
  }
}

// MARK: What is in it

extension SlidingWindow {
  /// The rows, by their positions.
  public var rows: ArraySlice<Row> { store.rows }
  /// How many rows there are.
  public var count: Int { store.rows.count }
  /// The last row.
  public var latest: Row? { store.rows.last }
  /// The rows' positions.
  public var positions: [Double] { store.rows.map(\.position) }
  /// The distance from the first row to the last, in units of the index.
  public var length: Double {
    guard let first = store.rows.first, let last = store.rows.last else { return 0 }
    return last.position - first.position
  }

  /// The values of a mnemonic, one for each row; empty for one that the window doesn't keep.
  public func values(_ mnemonic: String) -> [JSONValue] {
    guard let place = mnemonics.firstIndex(of: mnemonic) else { return [] }
    return store.rows.map { $0.values[place] }
  }

  /// A mnemonic's values as numbers, one for each row: `.nan` where a value is no number; empty for
  /// a mnemonic that the window doesn't keep.
  public func numbers(_ mnemonic: String) -> [Double] {
    values(mnemonic).map { $0.double ?? .nan }
  }
}

// MARK: Taking rows

extension SlidingWindow {
  /// Takes a row. `now` is the time in Unix milliseconds; it is used for finding missing mnemonics.
  public mutating func take(_ row: QueryRow, at now: Int64) -> Outcome {
    for mnemonic in mnemonics where isValue(row[mnemonic]) {
      absence.recordEvent(mnemonic, at: now)
    }
    guard let position = position(of: row) else { return .incomplete([indexName]) }
    let missing = mnemonics.filter { value($0, of: row, at: position) == nil }
    let values = mnemonics.compactMap { value($0, of: row, at: position) }
    remember(row, at: position)
    guard missing.isEmpty else { return .incomplete(missing) }
    return place(Row(position: position, row: row, values: values))
  }

  private mutating func place(_ row: Row) -> Outcome {
    guard let last = store.rows.last?.position, row.position < last - reach else {
      lateRows = []
      guard store.insert(row) else { return .duplicate }
      trim()
      return .added
    }
    lateRows.append(row)
    guard lateRows.count >= restartAfter else { return .late }
    store = RowStore()
    known = known.filter { $0.value.position <= row.position }
    for row in lateRows { _ = store.insert(row) }
    lateRows = []
    trim()
    return .restarted
  }

  private mutating func trim() {
    guard let last = store.rows.last else { return }
    store.removeRows(before: last.position - reach, keeping: capacity)
  }

  /// The window's duration in units of the index.
  private var reach: Double { units(duration) }

  private func units(_ duration: Duration) -> Double {
    switch index {
    case .timestamp: duration / .milliseconds(1)
    case .mnemonic(_, let unit): unit == .zero ? .infinity : duration / unit
    }
  }
}

// MARK: Values of a row

extension SlidingWindow {
  private var indexName: String {
    switch index {
    case .timestamp: "timestamp"
    case .mnemonic(let name, _): name
    }
  }

  private func position(of row: QueryRow) -> Double? {
    switch index {
    case .timestamp: Double(row.timestamp)
    case .mnemonic(let name, _): row[name]?.double.flatMap { $0.isFinite ? $0 : nil }
    }
  }

  private func isValue(_ value: JSONValue?) -> Bool { value != nil && value != .null }

  /// The row's own value, or the latest known one if it is near enough and not from a later row.
  private func value(_ mnemonic: String, of row: QueryRow, at position: Double) -> JSONValue? {
    if let value = row[mnemonic], value != .null { return value }
    guard let carry, let known = known[mnemonic] else { return nil }
    let distance = position - known.position
    return distance >= 0 && distance <= units(carry) ? known.value : nil
  }

  private mutating func remember(_ row: QueryRow, at position: Double) {
    guard carry != nil else { return }
    for mnemonic in mnemonics {
      guard let value = row[mnemonic], value != .null else { continue }
      if let known = known[mnemonic], known.position > position { continue }
      known[mnemonic] = Known(position: position, value: value)
    }
  }
}
