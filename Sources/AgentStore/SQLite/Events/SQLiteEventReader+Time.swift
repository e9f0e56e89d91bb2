/// Reads in the order of timestamps: each type by its index, and merges the types.
extension SQLiteEventReader {
  /// A statement in use, and the pool that it goes back to.
  private struct Run {
    let statement: SQLiteStatement
    let kind: TimeStatements.Kind
  }

  /// One type's events, the next of which has been read.
  private struct Source {
    let type: String
    var run: Run
    /// The statement that is read when `run` is at its end.
    var following: Run?
    /// The statement that was read to its end, kept until it is reused.
    var done: Run?
    var timestamp: Int64 = 0
    var position: Int64 = 0

    /// Goes to the next event.
    /// - Returns: whether there is one.
    mutating func advance() throws(StoreError) -> Bool {
      while true {
        if try run.statement.step() {
          position = run.statement.integer(0)
          timestamp = run.statement.integer(1)
          return true
        }
        guard let next = following else { return false }
        done = run
        run = next
        following = nil
      }
    }

    var runs: [Run] { [run, following, done].compactMap { $0 } }
  }

  func byTimestamp(_ selection: EventSelection, size: Int) throws(StoreError) -> EventPage {
    guard let times = selection.times, let positions = selection.positions else {
      return EventPage(events: [], next: nil)
    }
    var sources = Merge<Source>(isBackwards: selection.isBackwards)
    defer {
      // Also when the page is full or a step throws: a statement that isn't reset holds a read
      // transaction open, and the log of recent changes can't be taken over.
      for source in sources.all { for run in source.runs { reuse(run) } }
    }
    let types = try numbers(of: selection.types)
    for type in types {
      let name = try name(of: type)
      guard var source = try source(type, name: name, selection: selection, times: times) else {
        continue
      }
      try insert(&source, into: &sources)
    }
    // A page begins with a search in each type. Where there are many types the page holds more
    // events, so that the searches are worth it.
    let many = types.count > Self.manyTypes ? min(types.count * 4, Self.largestPage) : 0
    let size = max(size, min(selection.limit ?? .max, many))
    var page = PageInProgress(selection, size: size, patience: Self.patience)
    while var source = sources.popFirst() {
      let isFull =
        positions.contains(source.position)
        ? page.add(event(source.run.statement, type: source.type))
        // The index knows the timestamp only, so positions are compared event by event.
        : page.skip(source.timestamp, source.position)
      if isFull {
        // It was taken out of the heap, so the `defer` doesn't see it.
        for run in source.runs { reuse(run) }
        return page.unfinished
      }
      try insert(&source, into: &sources)
    }
    return page.finished
  }

  /// Goes to the source's next event and puts it among the others; one that has none left is over.
  private func insert(
    _ source: inout Source, into sources: inout Merge<Source>
  ) throws(StoreError) {
    do throws(StoreError) {
      if try source.advance() {
        return sources.insert(source, at: source.timestamp, source.position)
      }
    } catch {
      for run in source.runs { reuse(run) }
      throw error
    }
    for run in source.runs { reuse(run) }
  }

  private func reuse(_ run: Run) { timeStatements.give(back: run.statement, run.kind) }

  private func source(
    _ type: Int64, name: String, selection: EventSelection, times: ClosedRange<Int64>
  ) throws(StoreError) -> Source? {
    let backwards = selection.isBackwards
    var later: Run?
    if let times = selection.timesAfterPlace(times) {
      later = try run(
        backwards ? .backwards : .forwards, type: type, first: times.lowerBound,
        second: times.upperBound)
    }
    // Millions of events may have the same timestamp. A statement of its own finds the rest of the
    // millisecond in which the page before ended by its position, in place of stepping over it.
    guard let place = selection.place else { return later.map { Source(type: name, run: $0) } }
    let sooner = try run(
      backwards ? .restBackwards : .restForwards, type: type, first: place.timestamp,
      second: place.position)
    return Source(type: name, run: sooner, following: later)
  }

  private func run(
    _ kind: TimeStatements.Kind, type: Int64, first: Int64, second: Int64
  ) throws(StoreError) -> Run {
    let statement = try timeStatements.take(kind, session)
    try statement.bind([.integer(type), .integer(first), .integer(second)])
    return Run(statement: statement, kind: kind)
  }
}

/// Merges several sources of events, each in order. A heap keeps the source whose event is next at
/// its top, so the cost of an event hardly grows with the number of sources.
private struct Merge<Source> {
  private struct Entry {
    let timestamp: Int64
    let position: Int64
    let source: Source
  }

  private let isBackwards: Bool
  private var heap: [Entry] = []

  init(isBackwards: Bool) {
    self.isBackwards = isBackwards
  }

  var all: [Source] { heap.map(\.source) }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (heap[left], heap[right])
    let isEarlier = (left.timestamp, left.position) < (right.timestamp, right.position)
    return isBackwards ? !isEarlier : isEarlier
  }

  mutating func insert(_ source: Source, at timestamp: Int64, _ position: Int64) {
    heap.append(Entry(timestamp: timestamp, position: position, source: source))
    var place = heap.count - 1
    while place > 0 {
      let parent = (place - 1) / 2
      guard precedes(place, parent) else { return }
      heap.swapAt(place, parent)
      place = parent
    }
  }

  mutating func popFirst() -> Source? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first.source }
    heap[0] = last
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
        if precedes(child, least) { least = child }
      }
      guard least != place else { return first.source }
      heap.swapAt(place, least)
      place = least
    }
  }
}
