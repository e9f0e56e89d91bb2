internal import AgentStore

/// The first tasks of a queue, as a scan reads them.
struct QueueHeads {
  let places: [QueuePosition]
  /// The rank of the queue's first task. `.some(nil)` if the queue is empty, `nil` if that wasn't
  /// read.
  let head: Int64??

  init(
    _ request: BotQueues.Request, after place: QueuePosition?, in tasks: any TaskReader
  ) throws(StoreError) {
    places = try tasks.places(
      in: request.queueKey, after: place ?? QueuePosition(rank: .min, task: 0),
      limit: request.limit)
    if place == nil {
      head = .some(places.first?.rank)
    } else {
      // Nothing follows the position, but the queue may have tasks before it. Then it isn't empty.
      head =
        places.isEmpty ? .some(try tasks.places(in: request.queueKey, limit: 1).first?.rank) : nil
    }
  }
}
