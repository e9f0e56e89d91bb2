internal import GRDB
internal import GRDBSQLite

extension StoreError {
  /// SQLITE_IOERR_SHMSIZE, a macro that Swift doesn't import. The disk has no space for the index
  /// of the write-ahead log (`-shm`), which the first read creates.
  private static let noRoomForIndex: Int32 = SQLITE_IOERR | 19 << 8
  /// The least free space in bytes with which a file can be opened. The index needs half of it.
  private static let leastRoom: Int64 = 64 << 10

  /// Creates the error for a result code of SQLite.
  init(sqlite code: Int32, _ message: String) {
    let cause = "SQLite \(code): \(message)"
    // The lower bits are enough to choose the code. The cause contains the whole code.
    switch code & 0xff {
    case SQLITE_FULL,
      _ where code == Self.noRoomForIndex:
      self.init(
        .full, "There is no room left for the database. Make room on the disk.", cause: cause)
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      // Not "it is damaged", because a single read can't distinguish damage from a temporary disk
      // error.
      self.init(
        .corrupt,
        "The data read from the database is inconsistent. \"agent doctor\" finds out whether it "
          + "is damaged.",
        cause: cause)
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(
        .locked, "Another program holds the database. End it, or wait until it is done.",
        cause: cause)
    case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE:
      self.init(.invalid, "The database refuses a value.", cause: cause)
    case SQLITE_ERROR, SQLITE_MISUSE, SQLITE_SCHEMA:
      self.init(.invalid, "The database refuses a statement.", cause: cause)
    default:
      self.init(
        .fault, "Reading or writing the database failed. Check the disk and the system's log.",
        cause: cause)
    }
  }

  init(_ error: any Error) {
    switch error {
    case let error as StoreError: self = error
    case let error as DatabaseError:
      self.init(sqlite: error.extendedResultCode.rawValue, error.message ?? "no message")
    default: self.init(.unusable, "The database can't be used.", cause: "\(error)")
    }
  }

  /// Returns the error of opening a file, which is `full` if the disk has no free space. In that
  /// case, SQLite reports that it can't read, write or open a file, as for a broken disk.
  /// - Parameter free: the free space on the disk in bytes; `nil` if it is unknown.
  func opening(_ path: String, free: Int64?) -> StoreError {
    guard code == .fault || code == .unusable, let free, free < Self.leastRoom else { return self }
    return StoreError(
      .full, "\(path) can't be opened: there is no room on its disk. Make room.", cause: cause)
  }

  /// Whether the file or its disk is the cause, and not the request. Then the whole transaction is
  /// lost.
  var concernsFile: Bool { code == .full || code == .fault || code == .corrupt }
}
