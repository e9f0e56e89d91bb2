/// The rows of a window in the order of their positions. New ones are mostly appended, old ones are
/// removed at the beginning.
struct RowStore: Sendable, Hashable {
  private var all: [SlidingWindow.Row] = []
  /// How many rows at the beginning of `all` are removed.
  private var gone = 0

  var rows: ArraySlice<SlidingWindow.Row> { all[gone...] }

  /// Inserts a row at its position; false if another row has that position.
  mutating func insert(_ row: SlidingWindow.Row) -> Bool {
    guard let last = all[gone...].last, row.position <= last.position else {
      all.append(row)
      return true
    }
    let place = firstRow(at: row.position)
    if place < all.endIndex, all[place].position == row.position { return false }
    all.insert(row, at: place)
    return true
  }

  /// Removes the rows before `position`, and the oldest ones beyond `most`.
  mutating func removeRows(before position: Double, keeping most: Int) {
    gone = max(firstRow(at: position), all.count - most)
    // Compacted only when half of the array is removed rows, so that the cost per row is constant.
    if gone > 64, gone > all.count / 2 {
      all.removeFirst(gone)
      gone = 0
    }
  }

  /// The first index whose row is at or after `position`.
  private func firstRow(at position: Double) -> Int {
    var low = gone
    var high = all.count
    while low < high {
      let middle = (low + high) / 2
      if all[middle].position < position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
