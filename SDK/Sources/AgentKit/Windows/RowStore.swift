/// The rows of a window in the order of their positions: new ones mostly go to the end, old ones
/// leave at the beginning.
struct RowStore: Sendable, Hashable {
  private var all: [SlidingWindow.Row] = []
  /// How many at the beginning of `all` have left.
  private var gone = 0

  var rows: ArraySlice<SlidingWindow.Row> { all[gone...] }

  /// Puts a row where it belongs; false if another one stands there.
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

  /// Lets rows go that stand before `position`, and the oldest where there are more than `most`.
  mutating func removeRows(before position: Double, keeping most: Int) {
    gone = max(firstRow(at: position), all.count - most)
    // Moved together only when half of it is gone, so that a row costs the same whatever there is.
    if gone > 64, gone > all.count / 2 {
      all.removeFirst(gone)
      gone = 0
    }
  }

  /// The first place whose row stands at `position` or behind it.
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
