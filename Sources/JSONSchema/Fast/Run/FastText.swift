import AgentJSON

/// Compares and hashes the values of a document by the rules of JSON: numbers by value, members in
/// any order.
struct FastText {
  let records: UnsafePointer<JSONRecord>
  let bytes: UnsafePointer<UInt8>
  let document: JSONDocument

  init(_ run: FastRun) {
    records = run.records
    bytes = run.bytes
    document = run.document
  }

  init?(_ tape: JSONTape, _ document: JSONDocument) {
    guard let records = tape.records.baseAddress, let bytes = tape.bytes.baseAddress else {
      return nil
    }
    self.records = records
    self.bytes = bytes
    self.document = document
  }

  /// Returns whether value `index` equals value `other` of the other document.
  ///
  /// The depth that the parser allows bounds its recursion.
  func isEqual(_ index: Int, against text: FastText, at other: Int) -> Bool {
    let (left, right) = (records[index], text.records[other])
    guard left.kind == right.kind else { return false }
    switch left.kind {
    case .null: return true
    case .bool: return left.mark == right.mark
    // Most equal numbers have the same text.
    case .number:
      return hasSameBytes(left, against: text, at: right)
        || hasSameNumber(index, against: text, at: other)
    case .string: return hasSameString(index, against: text, at: other)
    case .array:
      return left.count == right.count && hasSameElements(index, against: text, at: other)
    case .object:
      return left.count == right.count && hasSameMembers(index, against: text, at: other)
    }
  }

  private func hasSameBytes(_ left: JSONRecord, against text: FastText, at right: JSONRecord)
    -> Bool
  {
    let count = Int(left.end) - Int(left.start)
    guard count == Int(right.end) - Int(right.start) else { return false }
    let (mine, theirs) = (bytes + Int(left.start), text.bytes + Int(right.start))
    for offset in 0..<count where mine[offset] != theirs[offset] { return false }
    return true
  }

  private func hasSameNumber(_ index: Int, against text: FastText, at other: Int) -> Bool {
    if let left = shortInteger(index), let right = text.shortInteger(other) { return left == right }
    return document.node(ofRecord: index)?.number == text.document.node(ofRecord: other)?.number
  }

  /// Returns an integer of up to 18 digits without fraction and exponent.
  fileprivate func shortInteger(_ index: Int) -> Int64? {
    let record = records[index]
    // The mark means that the number has a fraction or an exponent.
    guard !record.mark else { return nil }
    let start = Int(record.start)
    return FastDecimal.integer(bytes + start, count: Int(record.end) - start)
  }

  private func hasSameString(_ index: Int, against text: FastText, at other: Int) -> Bool {
    let (left, right) = (records[index], text.records[other])
    if !left.mark, !right.mark { return hasSameBytes(left, against: text, at: right) }
    // By bytes, as in JSON: Swift considers "é" equal in both of its encodings.
    guard let mine = document.node(ofRecord: index)?.string,
      let theirs = text.document.node(ofRecord: other)?.string
    else { return false }
    return mine.utf8.elementsEqual(theirs.utf8)
  }

  private func hasSameElements(_ index: Int, against text: FastText, at other: Int) -> Bool {
    var (mine, theirs) = (index + 1, other + 1)
    for _ in 0..<records[index].count {
      guard isEqual(mine, against: text, at: theirs) else { return false }
      mine = Int(records[mine].next)
      theirs = Int(text.records[theirs].next)
    }
    return true
  }

  private func hasSameMembers(_ index: Int, against text: FastText, at other: Int) -> Bool {
    if records[index].count > Self.largestSearched {
      return hasSameValue(index, against: text, at: other)
    }
    var mine = index + 1
    for _ in 0..<records[index].count {
      guard let theirs = text.value(ofSameKey: mine, self, in: other),
        isEqual(mine + 1, against: text, at: theirs)
      else { return false }
      mine = Int(records[mine + 1].next)
    }
    return true
  }

  /// The largest number of members for which searching each key is faster than hashing all of them.
  private static let largestSearched = 32

  // This is rare, so it is kept out of the code that runs the instructions.
  @inline(never)
  private func hasSameValue(_ index: Int, against text: FastText, at other: Int) -> Bool {
    document.node(ofRecord: index)?.value == text.document.node(ofRecord: other)?.value
  }

  private func value(ofSameKey key: Int, _ text: FastText, in object: Int) -> Int? {
    var index = object + 1
    for _ in 0..<records[object].count {
      if hasSameString(index, against: text, at: key) { return index + 1 }
      index = Int(records[index + 1].next)
    }
    return nil
  }
}

extension FastText {
  /// Returns whether no two elements are equal, by a hash table with linear probing. The seed of
  /// the hashes differs for each process, so that a document can't be made of colliding elements.
  func isUniqueByHash(_ array: Int) -> Bool {
    let count = records[array].count
    // At least twice as many places as elements.
    let bits = Int.bitWidth - count.leadingZeroBitCount + 1
    let mask = 1 << bits - 1
    var table = [UInt32](repeating: 0, count: mask + 1)
    var index = array + 1
    for _ in 0..<count {
      var hasher = Hasher()
      hash(index, into: &hasher)
      var position = hasher.finalize() & mask
      // 0 is an empty place. The record of an element is never the first, because it follows that
      // of its array.
      while table[position] != 0 {
        if isEqual(Int(table[position]), against: self, at: index) { return false }
        position = (position + 1) & mask
      }
      table[position] = UInt32(truncatingIfNeeded: index)
      index = Int(records[index].next)
    }
    return true
  }

  /// Feeds the parts of a value that are the same for equal values.
  private func hash(_ index: Int, into hasher: inout Hasher) {
    let record = records[index]
    hasher.combine(record.kind)
    switch record.kind {
    case .null: break
    case .bool: hasher.combine(record.mark)
    case .number: hashNumber(index, into: &hasher)
    case .string: hashString(index, into: &hasher)
    case .array, .object: hashContents(index, into: &hasher)
    }
  }

  private func hashNumber(_ index: Int, into hasher: inout Hasher) {
    if let value = shortInteger(index) {
      // As for the number below: 5 and 5.0 are equal and must feed the same.
      hasher.combine(JSONNumber(value))
    } else if let value = document.node(ofRecord: index)?.number {
      hasher.combine(value)
    }
  }

  private func hashString(_ index: Int, into hasher: inout Hasher) {
    let record = records[index]
    if record.mark {
      // With escapes decoded, because `"\u0061"` and `"a"` are equal.
      var text = document.node(ofRecord: index)?.string ?? ""
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    } else {
      let start = bytes + Int(record.start) + 1
      hasher.combine(
        bytes: UnsafeRawBufferPointer(start: start, count: Int(record.end - record.start) - 2))
    }
  }

  /// Feeds members in any order. It is a sum of hashes that start from the same state.
  private func hashContents(_ container: Int, into hasher: inout Hasher) {
    let record = records[container]
    hasher.combine(record.count)
    var index = container + 1
    var sum = 0
    for _ in 0..<record.count {
      guard record.kind == .object else {
        hash(index, into: &hasher)
        index = Int(records[index].next)
        continue
      }
      var member = Hasher()
      hashString(index, into: &member)
      hash(index + 1, into: &member)
      sum &+= member.finalize()
      index = Int(records[index + 1].next)
    }
    hasher.combine(sum)
  }
}
