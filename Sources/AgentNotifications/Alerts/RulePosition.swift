internal import AgentJSON
internal import AgentQueries
internal import AgentStore
internal import AgentSystem
internal import CSodium

/// How far the query of a rule has come. It is stored with what the rows have changed, so that no
/// row is missed over a restart and none counts twice.
///
/// Several batches may have the same moment as their mark, such as the rows of `@debounce`. Until a
/// later moment follows, the query resumes before it, and the rows that were taken are recognized
/// by their keys. They may come in another order then.
struct RulePosition {
  /// The number of rows of a moment that are recognized. Further ones would count twice after a
  /// restart within that moment, which is better than to miss one.
  static let maxKeys = 1_000
  private static let digestBytes = 16

  private(set) var row: RulePositionRow
  /// How often a digest was taken by an earlier run and hasn't come again in this one.
  private var repeated: [[UInt8]: Int] = [:]
  private var count = 0

  /// - Parameter row: what is stored.
  init(_ row: RulePositionRow) {
    self.row = row
    var rest = row.taken[...]
    while !rest.isEmpty {
      repeated[Array(rest.prefix(Self.digestBytes)), default: 0] += 1
      rest = rest.dropFirst(Self.digestBytes)
      count += 1
    }
  }

  /// Where the query resumes. Nil means that it begins now.
  var mark: QueryMark? { row.mark.flatMap { QueryMark(parsing: $0) } }

  /// Takes a batch of the query.
  /// - Parameter key: what a row is about.
  /// - Returns: the rows that weren't taken before.
  mutating func take(_ batch: QueryBatch, key: (JSONObject) -> String) -> [JSONObject] {
    guard let mark = batch.mark else { return batch.rows }
    guard case .moment(let moment) = mark, batch.rows.count <= Self.maxKeys else {
      // A position of the log has one batch, and so has a moment with this many rows, because they
      // are the output of a window.
      reach(mark)
      return batch.rows
    }
    if case .moment(let last)? = row.partial.flatMap({ QueryMark(parsing: $0) }) {
      // It came late: the mark goes on standing for what was taken.
      if moment < last { return batch.rows }
      if moment > last { reach(.moment(last)) }
    }
    row.partial = mark.text
    return batch.rows.filter { isNew(Self.digest(key($0))) }
  }

  private mutating func isNew(_ digest: [UInt8]) -> Bool {
    if let times = repeated[digest], times > 0 {
      repeated[digest] = times - 1
      return false
    }
    if count < Self.maxKeys {
      row.taken += digest
      count += 1
    }
    return true
  }

  /// The query has made all rows up to a mark.
  mutating func reach(_ mark: QueryMark) {
    // A query that resumes begins with the mark after which it does, before the rows of `partial`
    // come again.
    guard mark.text != row.mark else { return }
    row.mark = mark.text
    row.partial = nil
    row.taken = []
    repeated = [:]
    count = 0
  }

  /// Distinguishes what is written next from what was.
  mutating func beginWrite() { row.revision = row.revision.adding(1) }

  private static func digest(_ key: String) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: digestBytes)
    let bytes = Array(key.utf8)
    crypto_generichash(&digest, digest.count, bytes, UInt64(clamping: bytes.count), nil, 0)
    return digest
  }
}
