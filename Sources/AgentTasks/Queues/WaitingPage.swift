public import AgentStore

/// A page of the tasks that wait for bots, by rank.
public struct WaitingPage: Sendable {
  /// The tasks.
  public var rows: [TaskRow] = []
  /// The place after which the next page begins; nil where nothing more waits.
  public var next: QueuePosition?
}

/// Reads the tasks of a page, until they have ``TaskRow/pageBytes``.
struct WaitingRows: Sendable {
  private(set) var rows: [Int64: TaskRow] = [:]
  private var bytes = 0

  /// Reads the tasks at these places, the first ones first.
  mutating func read(_ places: [QueuePosition], in tasks: any TaskReader) throws(StoreError) {
    for place in places.sorted() {
      guard bytes < TaskRow.pageBytes else { return }
      guard let row = try tasks.task(place.task) else { continue }
      rows[row.id] = row
      bytes += row.bytes
    }
  }
}
