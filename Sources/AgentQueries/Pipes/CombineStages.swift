internal import AgentJSON

/// Passes each row to several chains of steps, which end in a ``CollectStage``.
final class FanStage: Stage {
  private let branches: [Stage]
  private let collector: CollectStage

  init(_ branches: [Stage], into collector: CollectStage, context: StageContext) {
    self.branches = branches
    self.collector = collector
    super.init("fan", next: nil, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    for branch in branches { branch.take(row, at: time) }
  }

  override func endBatch(_ mark: BatchMark) {
    for branch in branches { branch.endBatch(mark) }
    collector.flush(advancing: false)
  }

  override func advance(to time: Int64) {
    for branch in branches { branch.advance(to: time) }
    collector.flush(advancing: true)
    collector.next?.advance(to: time)
  }

  override func finish(at time: Int64) {
    for branch in branches { branch.finish(at: time) }
    collector.flush(advancing: false)
    collector.next?.finish(at: time)
  }

  override func allStatistics() -> [StageStatistics] {
    var own = statistics
    measure(&own)
    return [own] + branches.flatMap { $0.allStatistics() } + collector.allStatistics()
  }
}

/// The end of one chain of a ``FanStage``.
final class BranchEnd: Stage {
  private let collector: CollectStage
  private let branch: Int
  private var rows: [StageRow] = []
  private var held = 0

  init(_ branch: Int, of collector: CollectStage, context: StageContext) {
    self.branch = branch
    self.collector = collector
    super.init("branch", next: nil, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    rows.append(StageRow(object: row, time: time))
    if context.isAdvancing { hold(row, in: &held) }
  }

  override func endBatch(_ mark: BatchMark) {
    guard !rows.isEmpty else { return }
    collector.collect(CollectedBatch(branch: branch, mark: mark, rows: rows), bytes: held)
    (rows, held) = ([], 0)
  }

  override func allStatistics() -> [StageStatistics] { [] }
}

/// A batch of one chain.
struct CollectedBatch {
  let branch: Int
  let mark: BatchMark
  let rows: [StageRow]
}

/// Combines the batches of one moment. A union appends them, and a join combines their rows.
final class CollectStage: Stage {
  private var batches: [CollectedBatch] = []
  private var held = 0
  private let combine: ([CollectedBatch], StageContext) -> [StageRow]

  init(
    _ name: String, next: Stage?, context: StageContext,
    combine: @escaping ([CollectedBatch], StageContext) -> [StageRow]
  ) {
    self.combine = combine
    super.init(name, next: next, context: context)
  }

  /// - Parameter bytes: the size that was counted for the batch.
  func collect(_ batch: CollectedBatch, bytes: Int) {
    batches.append(batch)
    held += bytes
  }

  /// Sends the collected batches, moment by moment.
  ///
  /// - Parameter advancing: whether time advances. It does only for outputs of complete periods,
  ///   not for single rows.
  func flush(advancing: Bool) {
    guard !batches.isEmpty else { return }
    let collected = batches
    batches = []
    defer { release(&held) }
    for moment in Self.moments(collected) {
      guard let time = moment.first?.mark.time else { continue }
      let rows = combine(moment, context)
      for row in rows { send(row.object, at: row.time) }
      if !rows.isEmpty {
        next?.endBatch(BatchMark(time: time, sketches: moment.flatMap(\.mark.sketches)))
      }
      if advancing { next?.advance(to: time) }
    }
  }

  private static func moments(_ batches: [CollectedBatch]) -> [[CollectedBatch]] {
    let order = batches.indices.sorted { left, right in
      let (former, next) = (batches[left], batches[right])
      if former.mark.time != next.mark.time { return former.mark.time < next.mark.time }
      if former.branch != next.branch { return former.branch < next.branch }
      return left < right
    }
    var moments: [[CollectedBatch]] = []
    for batch in order.map({ batches[$0] }) {
      if let last = moments.last?.last, last.mark.time == batch.mark.time {
        moments[moments.count - 1].append(batch)
      } else {
        moments.append([batch])
      }
    }
    return moments
  }
}
