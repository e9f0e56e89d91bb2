public import AgentStore

/// A page of tasks that wait for bots, ordered by rank.
public struct WaitingPage: Sendable {
  public var rows: [TaskRow] = []
  /// The position after which the next page begins; `nil` if this is the last page.
  public var next: QueuePosition?
}

/// Reads the tasks of a page until they have ``TaskRow/pageBytes``.
struct WaitingRows: Sendable {
  private(set) var rows: [Int64: TaskRow] = [:]
  private var bytes = 0

  /// Reads the tasks at these positions in their order.
  mutating func read(_ places: [QueuePosition], in tasks: any TaskReader) throws(StoreError) {
    for place in places.sorted() {
      guard bytes < TaskRow.pageBytes else { return }
      guard let row = try tasks.task(place.task) else { continue }
      rows[row.id] = row
      bytes += row.bytes
    }
  }
}
