/// The keys of an object that was just read.
struct JSONKeys {
  let records: UnsafeMutablePointer<JSONRecord>
  /// The record of the first key.
  let first: Int
  /// The index after the object's last record.
  let end: Int
  let count: Int

  /// The largest number of keys for which comparing each with each is faster than a table.
  private static let largestComparedPairwise = 24

  /// Whether two keys have the same hash. It is also true if too many hashes are so close to each
  /// other that the search takes too long.
  var mayRepeat: Bool {
    @inline(never) get {
      // Two small sets with one bit for each hash. Hardly any object has a key that both sets
      // already contain.
      var (low, high) = (0 as UInt64, 0 as UInt64)
      var isSuspect: UInt64 = 0
      var key = first
      while key < end {
        let hash = records[key].next
        let (bit, other) = (1 &<< UInt64(hash), 1 &<< UInt64(hash &>> 6)) as (UInt64, UInt64)
        isSuspect |= low & bit != 0 && high & other != 0 ? 1 : 0
        low |= bit
        high |= other
        key = Int(records[key + 1].next)
      }
      guard isSuspect != 0 else { return false }
      return count <= Self.largestComparedPairwise ? hasTwinByPairs : hasTwinByTable
    }
  }

  private var hasTwinByPairs: Bool {
    var key = first
    while key < end {
      let hash = records[key].next
      var earlier = first
      while earlier < key {
        if records[earlier].next == hash { return true }
        earlier = Int(records[earlier + 1].next)
      }
      key = Int(records[key + 1].next)
    }
    return false
  }

  /// Searches by a table with linear probing. Chosen keys can produce long runs in it, so the steps
  /// are counted, and too many of them end the search.
  private var hasTwinByTable: Bool {
    let bits = Int.bitWidth - count.leadingZeroBitCount + 1
    let mask = 1 << bits - 1
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: mask + 1) { table in
      table.initialize(repeating: 0)
      var steps = 4 * count
      var key = first
      while key < end {
        // Zero marks a free slot.
        let hash = max(records[key].next, 1)
        var place = Int(hash) & mask
        while table[place] != 0 {
          steps -= 1
          if table[place] == hash || steps == 0 { return true }
          place = (place + 1) & mask
        }
        table[place] = hash
        key = Int(records[key + 1].next)
      }
      return false
    }
  }
}
