internal import GRDBSQLite

/// A value that is bound to a statement's parameter.
enum SQLiteValue {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
  static func optional(_ number: Int64?) -> SQLiteValue { number.map { .integer($0) } ?? .null }
  static func optional(_ blob: [UInt8]?) -> SQLiteValue { blob.map { .blob($0) } ?? .null }
}

/// A prepared statement, which uses SQLite's own interface on a connection of GRDB. Used by the
/// connection's thread.
///
/// Rationale: the text is a `StaticString`, so no value can become a part of it. An insert takes
/// half the time of an insert through GRDB (docs/decisions/0011).
final class SQLiteStatement {
  let handle: OpaquePointer
  unowned let session: SQLiteSession

  init(_ session: SQLiteSession, _ sql: StaticString) throws(StoreError) {
    var handle: OpaquePointer?
    let code = sql.withUTF8Buffer { text in
      text.withMemoryRebound(to: CChar.self) {
        sqlite3_prepare_v3(
          session.handle, $0.baseAddress, Int32(clamping: $0.count),
          // The statement lives as long as its connection, and SQLite allocates its memory
          // accordingly.
          UInt32(clamping: SQLITE_PREPARE_PERSISTENT),
          &handle, nil)
      }
    }
    guard code == SQLITE_OK, let handle else { throw session.error(code) }
    self.handle = handle
    self.session = session
  }

  /// The mark that makes SQLite copy a value before the call returns (`SQLITE_TRANSIENT`, a macro
  /// that Swift doesn't import).
  static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds all values in the order of the parameters.
  func bind(_ values: [SQLiteValue]) throws(StoreError) {
    for (index, value) in zip(Int32(1)..., values) { try bind(index, value) }
  }

  func bind(_ index: Int32, _ value: SQLiteValue) throws(StoreError) {
    let code =
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let number): sqlite3_bind_int64(handle, index, number)
      case .text(let text):
        sqlite3_bind_text(handle, index, text, Int32(clamping: text.utf8.count), Self.copied)
      case .blob(let bytes):
        bytes.withUnsafeBytes {
          // An empty array may have no address, and a blob without an address is NULL.
          $0.isEmpty
            ? sqlite3_bind_zeroblob(handle, index, 0)
            : sqlite3_bind_blob64(
              handle, index, $0.baseAddress, UInt64(clamping: $0.count), Self.copied)
        }
      }
    try check(code)
  }

  // The values of the statements that run for each task, without an array and a copy of the text.

  func bind(_ index: Int32, integer: Int64) throws(StoreError) {
    try check(sqlite3_bind_int64(handle, index, integer))
  }

  func bind(_ index: Int32, text: String) throws(StoreError) {
    var text = text
    try check(
      text.withUTF8 { text in
        text.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(
            handle, index, $0.baseAddress, Int32(clamping: $0.count), Self.copied)
        }
      })
  }

  func bind(_ index: Int32, blob: ArraySlice<UInt8>) throws(StoreError) {
    try check(
      blob.withUnsafeBytes {
        $0.isEmpty
          ? sqlite3_bind_zeroblob(handle, index, 0)
          : sqlite3_bind_blob64(
            handle, index, $0.baseAddress, UInt64(clamping: $0.count), Self.copied)
      })
  }

  private func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK else { throw session.error(code) }
  }

  /// Moves to the next row.
  /// - Returns: false if there is no further row.
  func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    case let code: throw session.error(code)
    }
  }

  /// Ends a run, so that the statement keeps no transaction open.
  func reset() { sqlite3_reset(handle) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
    return [UInt8](
      UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
