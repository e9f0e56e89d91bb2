internal import AgentJSON

/// The rows of one group in a window.
final class WindowGroup {
  private struct OpenPane {
    let pane: Pane
    let slot: Int
  }

  let key: JSONValue
  /// The panes that aren't part of an output yet, in order of time.
  private var open: [OpenPane] = []
  private(set) var closed = PaneQueue()

  init(key: JSONValue) {
    self.key = key
  }

  /// Whether the group is empty and may be removed.
  var isEmpty: Bool { open.isEmpty && closed.isEmpty }
  var paneCount: Int { open.count + closed.count }

  /// Returns the slot of the open pane of `moment`. Nil means that there is none yet.
  func slot(of moment: Int64) -> Int? {
    guard let newest = open.last else { return nil }
    if newest.pane.contains(moment) { return newest.slot }
    return open.last { $0.pane.contains(moment) }?.slot
  }

  /// Opens a pane.
  func open(_ pane: Pane, slot: Int) {
    let place = open.lastIndex { $0.pane.start < pane.start }.map { $0 + 1 } ?? 0
    open.insert(OpenPane(pane: pane, slot: slot), at: place)
  }

  /// Closes the panes that end by `moment`, and removes those before `start`.
  func settle(at moment: Int64, from start: Int64, in table: SlotTable) {
    while let first = open.first, first.pane.end <= moment {
      closed.close(first.slot, key: first.pane.key, in: table)
      open.removeFirst()
    }
    closed.drop(before: start, in: table)
  }

  /// Adds the row that `table` has read to a closed pane.
  func addLate(at stamp: RowStamp, key: Int64, in table: SlotTable) {
    closed.addLate(at: stamp, key: key, in: table)
  }

  /// Returns the aggregations' results over the closed panes.
  func results(in table: SlotTable) -> [AggregationResult] {
    table.results(totals: closed.totals, panes: table.needsPanes ? closed.panes : [])
  }

  func bytes(in table: SlotTable) -> Int {
    table.bytes(of: open.map(\.slot) + closed.panes + closed.totals) + 160
  }
}
