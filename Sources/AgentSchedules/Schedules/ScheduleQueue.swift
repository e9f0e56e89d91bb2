/// The ids of schedules, ordered by their next times.
///
/// The owner sleeps until ``nextTime`` and then takes the ids that are ``due(at:limit:)``. Between
/// these times it does nothing. The queue is a binary heap that knows the place of each id, so
/// adding, changing and removing take logarithmic time. Times are Unix milliseconds.
public struct ScheduleQueue<ID: Hashable & Sendable>: Sendable {
  private struct Entry: Sendable {
    var time: Int64
    var id: ID
  }

  private var heap: [Entry] = []
  private var places: [ID: Int32] = [:]

  /// Creates an empty queue.
  public init() {}

  /// The number of ids.
  public var count: Int { heap.count }
  /// Whether the queue is empty.
  public var isEmpty: Bool { heap.isEmpty }
  /// The earliest time. `nil` if the queue is empty.
  public var nextTime: Int64? { heap.first?.time }

  /// Returns the time of an id, or `nil` if the queue doesn't contain it.
  public func time(of id: ID) -> Int64? { places[id].map { heap[Int($0)].time } }

  /// Reserves memory for `count` schedules, so that adding them doesn't reallocate.
  public mutating func reserveCapacity(_ count: Int) {
    heap.reserveCapacity(count)
    places.reserveCapacity(count)
  }

  /// Adds an id, or changes its time.
  public mutating func set(_ id: ID, at time: Int64) {
    guard let place = places[id].map(Int.init) else {
      heap.append(Entry(time: time, id: id))
      places[id] = Int32(clamping: heap.count - 1)
      rise(from: heap.count - 1)
      return
    }
    let old = heap[place].time
    heap[place].time = time
    if time < old { rise(from: place) } else { sink(from: place) }
  }

  /// Removes an id. Returns false if the queue doesn't contain it.
  @discardableResult
  public mutating func remove(_ id: ID) -> Bool {
    guard let place = places.removeValue(forKey: id).map(Int.init) else { return false }
    let last = heap.removeLast()
    guard place < heap.count else { return true }
    put(last, at: place)
    rise(from: place)
    sink(from: place)
    return true
  }

  /// Removes and returns the ids that are due at `time`, the earliest first, at most `limit`.
  public mutating func due(at time: Int64, limit: Int = .max) -> [(id: ID, time: Int64)] {
    var due: [(id: ID, time: Int64)] = []
    while due.count < limit, let first = heap.first, first.time <= time {
      due.append((first.id, first.time))
      remove(first.id)
    }
    return due
  }

  private mutating func put(_ entry: Entry, at place: Int) {
    heap[place] = entry
    places[entry.id] = Int32(clamping: place)
  }

  private mutating func rise(from start: Int) {
    var place = start
    let entry = heap[start]
    while place > 0, entry.time < heap[(place - 1) / 2].time {
      put(heap[(place - 1) / 2], at: place)
      place = (place - 1) / 2
    }
    if place != start { put(entry, at: place) }
  }

  private mutating func sink(from start: Int) {
    var place = start
    let entry = heap[start]
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].time < heap[child].time { child += 1 }
      guard heap[child].time < entry.time else { break }
      put(heap[child], at: place)
      place = child
    }
    if place != start { put(entry, at: place) }
  }
}
