internal import AgentJSON

/// The rows of a group, as a window sees them.
final class WindowGroup {
  private struct OpenPane {
    let pane: Pane
    let slot: Int
  }

  let key: JSONValue
  /// The panes that no output has seen, in order of time.
  private var open: [OpenPane] = []
  private(set) var closed = PaneQueue()

  init(key: JSONValue) {
    self.key = key
  }

  /// Whether it holds nothing, so that it may be forgotten.
  var isEmpty: Bool { open.isEmpty && closed.isEmpty }
  var paneCount: Int { open.count + closed.count }

  /// The slot of the open pane that `moment` lies in; nil where there is none yet.
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

  /// Closes the panes that end by `moment` and lets go of those before `start`.
  func settle(at moment: Int64, from start: Int64, in table: SlotTable) {
    while let first = open.first, first.pane.end <= moment {
      closed.close(first.slot, key: first.pane.key, in: table)
      open.removeFirst()
    }
    closed.drop(before: start, in: table)
  }

  /// Takes the row that `table` has read into a pane that is closed.
  func addLate(at stamp: RowStamp, key: Int64, in table: SlotTable) {
    closed.addLate(at: stamp, key: key, in: table)
  }

  /// The aggregations' results over what is closed.
  func results(in table: SlotTable) -> [AggregationResult] {
    table.results(totals: closed.totals, panes: table.needsPanes ? closed.panes : [])
  }

  func bytes(in table: SlotTable) -> Int {
    table.bytes(of: open.map(\.slot) + closed.panes + closed.totals) + 160
  }
}
