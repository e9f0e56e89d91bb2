/// Numbers by key, in the order of the schema. Keys are compared by bytes, as in JSON.
///
/// Rationale: building a dictionary of strings takes longer than compiling a small schema. It also
/// considers some keys equal that differ in their bytes ("é" has two encodings).
struct KeyTable: Sendable {
  private(set) var keys: [String] = []
  private(set) var nodes: [Int] = []
  /// The positions by hash, with −1 for none. They are only kept if reading every key would take
  /// longer.
  private var buckets: [Int32] = []

  private static let largestWithoutBuckets = 12

  var isEmpty: Bool { keys.isEmpty }
  var count: Int { keys.count }

  /// Adds a key, which must be new.
  mutating func append(_ key: String, _ node: Int) {
    keys.append(key)
    nodes.append(node)
    if keys.count > Self.largestWithoutBuckets { addToBuckets() }
  }

  /// Returns the number of a key.
  subscript(key: String) -> Int? {
    position(of: key).map { nodes[$0] }
  }

  /// Returns the position of a key.
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
    // A power of two, so that a mask finds the bucket. At most half of the buckets are full, so
    // that a search ends.
    while size < keys.count * 4 { size *= 2 }
    buckets = Array(repeating: -1, count: size)
    for position in keys.indices { place(position) }
  }

  private mutating func place(_ position: Int) {
    var bucket = Self.hash(keys[position]) & (buckets.count - 1)
    while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
    buckets[bucket] = Int32(truncatingIfNeeded: position)
  }

  /// Returns a hash with a seed of the process, so that nobody can choose keys that collide.
  private static func hash(_ key: String) -> Int {
    var hasher = Hasher()
    key.hashBytes(into: &hasher)
    return hasher.finalize() & .max
  }
}

extension KeyTable: Sequence {
  /// Iterates the keys and their numbers, in order.
  func makeIterator() -> Zip2Sequence<[String], [Int]>.Iterator {
    zip(keys, nodes).makeIterator()
  }
}
