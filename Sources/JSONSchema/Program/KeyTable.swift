/// Numbers by key, in the order of the schema; keys are compared byte by byte, as JSON has it.
///
/// Rationale: a dictionary of strings takes longer to build than a small schema to compile, and
/// takes keys for equal that differ in their bytes only ("é" can be written in two ways).
struct KeyTable: Sendable {
  private(set) var keys: [String] = []
  private(set) var nodes: [Int] = []
  /// Positions by hash, -1 where there is none. Kept only where looking at every key takes longer.
  private var buckets: [Int32] = []

  private static let largestWithoutBuckets = 12

  var isEmpty: Bool { keys.isEmpty }
  var count: Int { keys.count }

  /// Adds a key that isn't there yet.
  mutating func append(_ key: String, _ node: Int) {
    keys.append(key)
    nodes.append(node)
    if keys.count > Self.largestWithoutBuckets { addToBuckets() }
  }

  /// The number of a key.
  subscript(key: String) -> Int? {
    position(of: key).map { nodes[$0] }
  }

  /// Where a key is among the keys.
  func position(of key: String) -> Int? {
    guard !buckets.isEmpty else {
      return keys.firstIndex { $0.utf8.elementsEqual(key.utf8) }
    }
    var bucket = Self.hash(key) & (buckets.count - 1)
    while buckets[bucket] >= 0 {
      let position = Int(buckets[bucket])
      if keys[position].utf8.elementsEqual(key.utf8) { return position }
      bucket = (bucket + 1) & (buckets.count - 1)
    }
    return nil
  }

  private mutating func addToBuckets() {
    guard keys.count * 2 > buckets.count else {
      place(keys.count - 1)
      return
    }
    var size = 32
    // A power of two, so that a mask finds the bucket. At most half full, so that a search ends.
    while size < keys.count * 4 { size *= 2 }
    buckets = Array(repeating: -1, count: size)
    for position in keys.indices { place(position) }
  }

  private mutating func place(_ position: Int) {
    var bucket = Self.hash(keys[position]) & (buckets.count - 1)
    while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
    buckets[bucket] = Int32(truncatingIfNeeded: position)
  }

  /// Seeded by the process, so that nobody can write keys that all collide.
  private static func hash(_ key: String) -> Int {
    var hasher = Hasher()
    key.hashBytes(into: &hasher)
    return hasher.finalize() & .max
  }
}

extension KeyTable: Sequence {
  /// The keys and their numbers, in order.
  func makeIterator() -> Zip2Sequence<[String], [Int]>.Iterator {
    zip(keys, nodes).makeIterator()
  }
}
