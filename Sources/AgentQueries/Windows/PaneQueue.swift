/// The closed panes of one group that are still in the window, the oldest first.
///
/// Two stacks keep running totals. Each pane of the front has the total from itself to the end of
/// the front. The panes of the back have one total together. The total of a window is one merge,
/// and a new pane is one merge. Each pane is merged once more when the front is empty and the back
/// replaces it. The cost doesn't depend on the window's length (Tangwongsan, Hirzel and Schneider,
/// «Low-latency sliding-window aggregation in worst-case constant time», DEBS 2017, call it
/// Two-Stacks). States without a fixed size are kept for each pane.
struct PaneQueue {
  private struct Entry {
    let key: Int64
    let slot: Int
  }

  private var entries: [Entry] = []
  /// The index of the first entry in the window. Earlier ones have left it.
  private var head = 0
  /// The index after the last entry of the front.
  private var frontEnd = 0
  /// The total of the back. Nil means that the back is empty.
  private var backTotal: Int?

  var isEmpty: Bool { head == entries.count }
  var count: Int { entries.count - head }

  /// Closes a pane that isn't older than the earlier ones. Its slot belongs to the queue from now
  /// on.
  mutating func close(_ slot: Int, key: Int64, in table: SlotTable) {
    let total = total(in: table)
    table.mergeTotals(slot, into: total)
    if entries.count > frontEnd, let last = entries.last, last.key == key {
      table.merge(slot, into: last.slot)
      table.give(back: slot)
    } else {
      entries.append(Entry(key: key, slot: slot))
    }
  }

  private mutating func total(in table: SlotTable) -> Int {
    if let backTotal { return backTotal }
    let slot = table.take()
    backTotal = slot
    return slot
  }

  /// Removes the panes with a key before `start`.
  mutating func drop(before start: Int64, in table: SlotTable) {
    if let last = entries.last, last.key < start { return clear(in: table) }
    while head < entries.count, entries[head].key < start {
      if head == frontEnd { turn(in: table) }
      table.give(back: entries[head].slot)
      head += 1
    }
    // Old entries are removed only when they are the larger half, so that each entry is moved a
    // constant number of times.
    guard head > 16, head * 2 > entries.count else { return }
    entries.removeFirst(head)
    frontEnd -= head
    head = 0
  }

  /// Removes all panes.
  mutating func clear(in table: SlotTable) {
    for entry in entries[head...] { table.give(back: entry.slot) }
    entries.removeAll(keepingCapacity: true)
    (head, frontEnd) = (0, 0)
    dropBackTotal(in: table)
  }

  /// Turns the back into the front.
  private mutating func turn(in table: SlotTable) {
    frontEnd = entries.count
    for index in stride(from: frontEnd - 2, through: head, by: -1) {
      table.mergeTotals(entries[index + 1].slot, into: entries[index].slot)
    }
    dropBackTotal(in: table)
  }

  private mutating func dropBackTotal(in table: SlotTable) {
    if let backTotal { table.give(back: backTotal) }
    backTotal = nil
  }

  /// Adds the row that `table` has read to a closed pane. The cost grows with the number of panes,
  /// because totals of the front change too.
  mutating func addLate(at stamp: RowStamp, key: Int64, in table: SlotTable) {
    let place = entries[head...].firstIndex { $0.key >= key } ?? entries.count
    let exists = place < entries.count && entries[place].key == key
    if place < frontEnd {
      if !exists { insertInFront(key, at: place, in: table) }
      for entry in entries[head...place] { table.addToTotals(at: stamp, of: entry.slot) }
      table.addToPane(at: stamp, of: entries[place].slot)
    } else {
      if !exists { entries.insert(Entry(key: key, slot: table.take()), at: place) }
      table.add(at: stamp, to: entries[place].slot)
      table.addToTotals(at: stamp, of: total(in: table))
    }
  }

  private mutating func insertInFront(_ key: Int64, at place: Int, in table: SlotTable) {
    let slot = table.take()
    table.mergeTotals(entries[place].slot, into: slot)
    entries.insert(Entry(key: key, slot: slot), at: place)
    frontEnd += 1
  }

  /// The slots whose totals together are the window's total.
  var totals: [Int] {
    var slots: [Int] = []
    if head < frontEnd { slots.append(entries[head].slot) }
    if let backTotal { slots.append(backTotal) }
    return slots
  }

  /// The slots of all panes.
  var panes: [Int] { entries[head...].map(\.slot) }
}
