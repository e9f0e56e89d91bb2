/// The closed panes of one group that are still in the window, the oldest first.
///
/// Running totals are kept by two stacks: a pane in front holds the total from itself up to the
/// end of the front, the panes at the back have one total together. A window's total is one merge,
/// a new pane is one merge, and each pane is merged once more when the front has run empty and the
/// back takes its place: the cost doesn't depend on the window's length (Tangwongsan, Hirzel and
/// Schneider, «Low-latency sliding-window aggregation in worst-case constant time», DEBS 2017,
/// describe it as Two-Stacks). States that aren't of fixed size stay a pane each.
struct PaneQueue {
  private struct Entry {
    let key: Int64
    let slot: Int
  }

  private var entries: [Entry] = []
  /// The first entry in use; what lies before it has left the window.
  private var head = 0
  /// Behind the last entry of the front.
  private var frontEnd = 0
  /// The total of the back; nil while the back is empty.
  private var backTotal: Int?

  var isEmpty: Bool { head == entries.count }
  var count: Int { entries.count - head }

  /// Closes a pane that isn't older than those closed before; its slot belongs to the queue now.
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

  /// Lets go of the panes whose key is before `start`.
  mutating func drop(before start: Int64, in table: SlotTable) {
    if let last = entries.last, last.key < start { return clear(in: table) }
    while head < entries.count, entries[head].key < start {
      if head == frontEnd { turn(in: table) }
      table.give(back: entries[head].slot)
      head += 1
    }
    guard head > 16, head * 2 > entries.count else { return }
    entries.removeFirst(head)
    frontEnd -= head
    head = 0
  }

  /// Lets go of all.
  mutating func clear(in table: SlotTable) {
    for entry in entries[head...] { table.give(back: entry.slot) }
    entries.removeAll(keepingCapacity: true)
    (head, frontEnd) = (0, 0)
    dropBackTotal(in: table)
  }

  /// The back becomes the front.
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

  /// Takes the row that `table` has read into a pane that is closed already. The cost grows with the number of panes, as
  /// totals in front have to be told.
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

  /// The slots whose totals together are the window's.
  var totals: [Int] {
    var slots: [Int] = []
    if head < frontEnd { slots.append(entries[head].slot) }
    if let backTotal { slots.append(backTotal) }
    return slots
  }

  /// The slots of all panes.
  var panes: [Int] { entries[head...].map(\.slot) }
}
