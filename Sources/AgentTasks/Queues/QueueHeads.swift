internal import AgentStore

/// The first tasks of a lane, as far as somebody looks at them.
struct QueueHeads {
  let rows: [TaskRow]
  /// The rank of the lane's first task; nil where it has none; not known where that wasn't read.
  let head: Int64??

  init(
    _ request: BotQueues.Request, after place: LanePosition?, in tasks: any TaskReading
  ) throws(StoreError) {
    rows = try tasks.heads(
      of: request.lane, after: place ?? LanePosition(rank: .min, task: 0), limit: request.limit)
    if place == nil {
      head = .some(rows.first?.rank)
    } else {
      // It may have nothing but what comes before.
      head =
        rows.isEmpty ? .some(try tasks.places(in: request.lane, limit: 1).first?.rank) : nil
    }
  }
}
