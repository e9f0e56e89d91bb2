internal import AgentJSON

/// The states of a pipe's aggregations: a slot holds one state of each.
///
/// Slots are used again; what a group or pane leaves costs nothing more. What several aggregations
/// take from a row is computed once.
final class SlotTable {
  /// A column and the numbers of what it takes. Rationale: a class, because it is looked at once
  /// a row, and a struct would count the references in it each time.
  private final class Entry {
    let column: AggregationColumn
    let argument: Int?
    let condition: Int?

    init(_ column: AggregationColumn, argument: Int?, condition: Int?) {
      self.column = column
      self.argument = argument
      self.condition = condition
    }
  }

  private let entries: [Entry]
  private let arguments: [RowExpression]
  private let conditions: [RowExpression]
  private var values: [JSONValue] = []
  private var flags: [Bool] = []
  private var free: [Int] = []
  private var made = 0
  private let memory: MemoryAccount
  /// What a slot costs beside its states: its place in a queue of panes.
  private static let slotBytes = 64

  /// Whether results need a pane's own states.
  let needsPanes: Bool

  init(_ aggregations: [Aggregation], _ memory: MemoryAccount) {
    self.memory = memory
    var entries: [Entry] = []
    var arguments: [RowExpression] = []
    var conditions: [RowExpression] = []
    for aggregation in aggregations {
      entries.append(
        Entry(
          aggregation.column(memory),
          argument: aggregation.argument.map { arguments.place(of: $0) },
          condition: aggregation.condition.map { conditions.place(of: $0) }))
    }
    (self.entries, self.arguments, self.conditions) = (entries, arguments, conditions)
    needsPanes = entries.contains { !$0.column.isFixedSize }
    values = Array(repeating: .null, count: arguments.count)
    flags = Array(repeating: false, count: conditions.count)
  }

  /// An empty slot.
  func take() -> Int {
    if let slot = free.popLast() { return slot }
    made += 1
    memory.add(Self.slotBytes)
    // Doubled, so that a column's array grows rarely.
    if made & (made - 1) == 0 { entries.forEach { $0.column.grow(made * 2) } }
    return made - 1
  }

  /// Gives a slot back.
  func give(back slot: Int) {
    for entry in entries { entry.column.reset(slot) }
    free.append(slot)
  }

  /// Computes what the aggregations take from a row; the calls of `add…` that follow are about it.
  func read(_ row: JSONObject, at time: Int64) {
    for place in arguments.indices { values[place] = arguments[place](row, at: time) }
    for place in conditions.indices { flags[place] = conditions[place].isTrue(row, at: time) }
  }

  /// Takes the row that was read into all states of a slot.
  func add(at stamp: RowStamp, to slot: Int) {
    for entry in entries { add(entry, at: stamp, to: slot) }
  }

  /// Takes the row that was read into the states that are running totals.
  func addToTotals(at stamp: RowStamp, of slot: Int) {
    for entry in entries where entry.column.isFixedSize { add(entry, at: stamp, to: slot) }
  }

  /// Takes the row that was read into the states that are kept a pane each.
  func addToPane(at stamp: RowStamp, of slot: Int) {
    for entry in entries where !entry.column.isFixedSize { add(entry, at: stamp, to: slot) }
  }

  private func add(_ entry: Entry, at stamp: RowStamp, to slot: Int) {
    if let condition = entry.condition, !flags[condition] { return }
    entry.column.add(entry.argument.map { values[$0] } ?? true, stamp, slot)
  }

  /// Takes all that one slot has seen into another.
  func merge(_ slot: Int, into other: Int) {
    for entry in entries { entry.column.merge(slot, other) }
  }

  /// Takes the running totals of one slot into those of another.
  func mergeTotals(_ slot: Int, into other: Int) {
    for entry in entries where entry.column.isFixedSize { entry.column.merge(slot, other) }
  }

  /// The results: running totals over `totals`, the others over `panes`.
  func results(totals: [Int], panes: [Int]) -> [AggregationResult] {
    entries.map { $0.column.result($0.column.isFixedSize ? totals : panes) }
  }

  /// About how many bytes the states of slots occupy.
  func bytes(of slots: [Int]) -> Int {
    entries.reduce(0) { $0 + $1.column.bytes(slots) }
  }
}
