extension JSONParser {
  /// Refuses an object with duplicate keys.
  ///
  /// It uses a hash table with linear probing. The hashes are seeded, so that nobody can choose
  /// colliding keys.
  func checkKeys(of object: Int, _ bytes: Span<UInt8>) throws(JSONParseError) {
    let count = records[object].count
    guard count > 1 else { return }
    let bits = Int.bitWidth - count.leadingZeroBitCount + 1
    let mask = 1 << bits - 1
    var table = [UInt32](repeating: 0, count: mask + 1)
    var key = object + 1
    while key < records.count {
      let content = content(records[key], bytes)
      var slot = content.hashValue & mask
      while table[slot] != 0 {
        let earlier = Int(table[slot])
        if self.content(records[earlier], bytes) == content {
          throw duplicateKey(bytes, first: earlier, second: key)
        }
        slot = (slot + 1) & mask
      }
      table[slot] = UInt32(clamping: key)
      key = Int(records[key + 1].next)
    }
  }

  /// Returns the unescaped key.
  @inline(never)
  private func content(_ key: JSONRecord, _ bytes: Span<UInt8>) -> [UInt8] {
    var content: [UInt8] = []
    content.appendUnescaped(bytes.extracting(key.content))
    return content
  }

  @inline(never)
  private func duplicateKey(
    _ bytes: Span<UInt8>, first: Int, second: Int
  ) -> JSONParseError {
    let place = JSONPlace(offset: Int(records[first].start), in: bytes)
    let key = String(decoding: content(records[second], bytes), as: UTF8.self)
    return error(
      .duplicateKey, in: bytes, at: Int(records[second].start),
      message: "The key \(JSONValue.string(key).text()) is in this object twice, first at line "
        + "\(place.line), column \(place.column). Remove or rename one of them.")
  }
}
