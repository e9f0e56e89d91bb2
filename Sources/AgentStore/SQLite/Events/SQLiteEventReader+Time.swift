/// Reads events in the order of timestamps. It reads each type by its index and merges the types.
extension SQLiteEventReader {
  /// A statement in use and the pool to which it is returned.
  private struct Run {
    let statement: SQLiteStatement
    let kind: TimeStatements.Kind
  }

  /// The events of one type. The next event has been read.
  private struct Source {
    let type: String
    var run: Run
    /// The statement that is read after `run`.
    var following: Run?
    /// The statement that was read to its end. It is kept until it is returned to the pool.
    var done: Run?
    var timestamp: Int64 = 0
    var position: Int64 = 0

    /// Moves to the next event.
    /// - Returns: false if there is no further event.
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

  /// Returns a page in the order of time.
  func byTimestamp(_ selection: EventSelection, size: Int) throws(StoreError) -> EventPage {
    guard let times = selection.times, let positions = selection.positions else {
      return EventPage(events: [], next: nil)
    }
    var sources = Merge<Source>(isBackwards: selection.isBackwards)
    defer {
      // This also runs if the page is full or a step throws. A statement that isn't reset keeps a
      // read transaction open, which prevents a checkpoint of the write-ahead log.
      for source in sources.all { for run in source.runs { reuse(run) } }
    }
    let isNewest = selection.isBackwards && selection.place == nil
    var unopened = try unopenedTypes(selection, times)
    defer { unopened.end() }
    var opened = 0
    var page = PageInProgress(selection, size: size, patience: Self.patience)
    while true {
      // Forwards, every type may have the next event. Backwards, a type has none before the page
      // has come down to its newest one. Therefore, a page opens only as many types as it needs.
      while let type = unopened.first,
        !selection.isBackwards || type.newest >= sources.first?.timestamp ?? .min
      {
        try unopened.removeFirst()
        let name = try name(of: type.number)
        guard var source = try source(type.number, name: name, selection: selection, times: times)
        else { continue }
        opened += 1
        try insert(&source, into: &sources)
      }
      guard var source = sources.popFirst() else { return page.finished }
      // All pages but the newest one begin with a search in many types. They have more events, so
      // that the searches pay off.
      if !isNewest, opened > Self.manyTypes {
        page.extend(to: min(selection.limit ?? .max, opened * 4, Self.largestPage))
      }
      let isFull =
        positions.contains(source.position)
        ? page.add(event(source.run.statement, type: source.type))
        // The index contains only the timestamp, so the position of each event is compared here.
        : page.skip(source.timestamp, source.position)
      if isFull {
        // This source was removed from the heap, so the `defer` doesn't reset its statements.
        for run in source.runs { reuse(run) }
        return page.unfinished
      }
      try insert(&source, into: &sources)
    }
  }

  /// Returns the types that may have events of the selection.
  private func unopenedTypes(
    _ selection: EventSelection, _ times: ClosedRange<Int64>
  ) throws(StoreError) -> TypesByNewest {
    let first =
      selection.isBackwards
      ? times.lowerBound : max(times.lowerBound, selection.place?.timestamp ?? .min)
    guard let names = selection.types else { return try TypesByNewest(from: first, in: session) }
    return try TypesByNewest(names, from: first, in: session)
  }

  /// Moves the source to its next event and inserts it into the heap. A source without events is
  /// released.
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

  /// Returns the source of a type, which continues after the end of the former page. Returns `nil`
  /// if no time is left.
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
    // Millions of events may have the same timestamp. A separate statement finds the rest of the
    // last millisecond by the position, instead of stepping over its events.
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

/// Merges several sorted sources of events. A heap has the source with the next event at its top,
/// so the cost of an event grows only logarithmically with the number of sources.
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
  var first: Source? { heap.first?.source }

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
