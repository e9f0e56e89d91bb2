internal import AgentJSON

/// The states of a pipe's aggregations. A slot has one state of each.
///
/// Slots are reused, so slots of removed groups and panes cost nothing more. An input of several
/// aggregations is computed once for each row.
final class SlotTable {
  /// A column and the numbers of its inputs. Rationale: it is a class, because each row reads it,
  /// and a struct would count its references each time.
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
  private let meter: WorkMeter
  /// The size of a slot without its states: its entry in a queue of panes.
  private static let slotBytes = 64

  /// Whether results need the states of single panes.
  let needsPanes: Bool

  init(_ aggregations: [Aggregation], _ context: StageContext) {
    let memory = context.memory
    (self.memory, meter) = (memory, context.meter)
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
    self.entries = entries
    self.arguments = arguments
    self.conditions = conditions
    needsPanes = entries.contains { !$0.column.isFixedSize }
    values = Array(repeating: .null, count: arguments.count)
    flags = Array(repeating: false, count: conditions.count)
  }

  /// Returns an empty slot.
  func take() -> Int {
    if let slot = free.popLast() { return slot }
    made += 1
    memory.add(Self.slotBytes)
    // The size doubles, so that a column's array grows rarely.
    if made & (made - 1) == 0 { entries.forEach { $0.column.grow(made * 2) } }
    return made - 1
  }

  /// Returns a slot for reuse.
  func give(back slot: Int) {
    for entry in entries { entry.column.reset(slot) }
    free.append(slot)
  }

  /// Computes the aggregations' inputs from a row. The following calls of `add…` use them.
  func read(_ row: JSONObject, at time: Int64) {
    for place in arguments.indices { values[place] = argument(place, of: row, at: time) }
    for place in conditions.indices {
      flags[place] = conditions[place].isTrue(row, at: time, meter)
    }
  }

  private func argument(_ place: Int, of row: JSONObject, at time: Int64) -> JSONValue {
    let value = arguments[place](row, at: time, meter)
    // An aggregation may hash, compare or measure the value.
    return meter.spend(reading: value) ? value : .null
  }

  /// Adds the read row to all states of a slot.
  func add(at stamp: RowStamp, to slot: Int) {
    for entry in entries { add(entry, at: stamp, to: slot) }
  }

  /// Adds the read row to the states with running totals.
  func addToTotals(at stamp: RowStamp, of slot: Int) {
    for entry in entries where entry.column.isFixedSize { add(entry, at: stamp, to: slot) }
  }

  /// Adds the read row to the states that are kept for each pane.
  func addToPane(at stamp: RowStamp, of slot: Int) {
    for entry in entries where !entry.column.isFixedSize { add(entry, at: stamp, to: slot) }
  }

  private func add(_ entry: Entry, at stamp: RowStamp, to slot: Int) {
    if let condition = entry.condition, !flags[condition] { return }
    let value = entry.argument.map { values[$0] } ?? true
    entry.column.add(StampedValue(stamp: stamp, value: value), slot)
  }

  /// Adds everything in one slot to another.
  func merge(_ slot: Int, into other: Int) {
    for entry in entries { entry.column.merge(slot, other) }
  }

  /// Adds the running totals of one slot to those of another.
  func mergeTotals(_ slot: Int, into other: Int) {
    for entry in entries where entry.column.isFixedSize { entry.column.merge(slot, other) }
  }

  /// Returns the results: running totals over `totals`, the others over `panes`.
  func results(totals: [Int], panes: [Int]) -> [AggregationResult] {
    entries.map { $0.column.result($0.column.isFixedSize ? totals : panes) }
  }

  /// Returns the approximate number of bytes in the states of slots.
  func bytes(of slots: [Int]) -> Int {
    entries.reduce(0) { $0 + $1.column.bytes(slots) }
  }
}
