extension JSONParser {
  /// Up to this many members, comparing each key with each is faster than hashing them.
  private static let largestComparedPairwise = 12

  /// Refuses an object that has the same key twice.
  func checkKeys(of object: Int, _ bytes: Span<UInt8>) throws(JSONParseError) {
    let count = records[object].count
    guard count > 1 else { return }
    if count <= Self.largestComparedPairwise {
      try compareKeysPairwise(object, bytes)
    } else {
      try compareKeysByHash(object, bytes)
    }
  }

  private func compareKeysPairwise(
    _ object: Int, _ bytes: Span<UInt8>
  ) throws(JSONParseError) {
    var key = object + 1
    while key < records.count {
      var earlier = object + 1
      while earlier < key {
        if isSame(earlier, key, bytes) { throw duplicateKey(bytes, first: earlier, second: key) }
        earlier = keyAfter(earlier)
      }
      key = keyAfter(key)
    }
  }

  /// A hash table with linear probing; hashes are seeded, so that nobody can choose colliding keys.
  private func compareKeysByHash(_ object: Int, _ bytes: Span<UInt8>) throws(JSONParseError) {
    let bits = Int.bitWidth - records[object].count.leadingZeroBitCount + 1
    let mask = 1 << bits - 1
    var table = [UInt32](repeating: 0, count: mask + 1)
    var key = object + 1
    while key < records.count {
      var slot = hash(key, bytes) & mask
      while table[slot] != 0 {
        let earlier = Int(table[slot])
        if isSame(earlier, key, bytes) { throw duplicateKey(bytes, first: earlier, second: key) }
        slot = (slot + 1) & mask
      }
      table[slot] = UInt32(clamping: key)
      key = keyAfter(key)
    }
  }

  private func keyAfter(_ key: Int) -> Int {
    Int(records[key + 1].next)
  }

  private func isSame(_ left: Int, _ right: Int, _ bytes: Span<UInt8>) -> Bool {
    let (left, right) = (records[left], records[right])
    if left.mark || right.mark { return content(left, bytes) == content(right, bytes) }
    guard left.end - left.start == right.end - right.start else { return false }
    let distance = Int(right.start) - Int(left.start)
    for index in left.content where bytes[index] != bytes[index + distance] { return false }
    return true
  }

  private func hash(_ key: Int, _ bytes: Span<UInt8>) -> Int {
    var hasher = Hasher()
    if records[key].mark {
      content(records[key], bytes).withUnsafeBytes { hasher.combine(bytes: $0) }
    } else {
      bytes.extracting(records[key].content).withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    return hasher.finalize()
  }

  /// What a key denotes.
  private func content(_ key: JSONRecord, _ bytes: Span<UInt8>) -> [UInt8] {
    var content: [UInt8] = []
    content.appendUnescaped(bytes.extracting(key.content))
    return content
  }

  private func duplicateKey(
    _ bytes: Span<UInt8>, first: Int, second: Int
  ) -> JSONParseError {
    let place = JSONPlace(offset: Int(records[first].start), in: bytes)
    let key = String(decoding: content(records[second], bytes), as: UTF8.self)
    return error(
      .duplicateKey, bytes, at: Int(records[second].start),
      "The key \(JSONValue.string(key).text()) is in this object twice, first at line "
        + "\(place.line), column \(place.column). Remove or rename one of them.")
  }
}
