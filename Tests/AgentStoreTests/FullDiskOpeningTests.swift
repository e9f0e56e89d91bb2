import Testing

@testable import AgentStore

/// What SQLite says of a file that can't be opened on a full disk.
@Suite struct FullDiskOpeningTests {
  @Test func `an index that can't be made is a full disk`() {
    // SQLITE_IOERR_SHMSIZE, and a failed write.
    #expect(StoreError(sqlite: 4874, "disk I/O error").code == .full)
    #expect(StoreError(sqlite: 778, "disk I/O error").code == .fault)
  }

  @Test(arguments: [StoreError.Code.fault, .unusable])
  func `a file that can't be opened is on a full disk when there is no room`(
    _ code: StoreError.Code
  ) {
    let error = StoreError(code, "a", cause: "SQLite 14")
    for free: Int64? in [nil, 1 << 20] { #expect(error.opening("/a", free: free) == error) }
    for free: Int64 in [0, 4096] {
      let found = error.opening("/a", free: free)
      #expect(found.code == .full && found.cause == "SQLite 14" && found.message.contains("/a"))
    }
  }

  @Test func `damage is damage on a full disk, too`() {
    let error = StoreError(.corrupt, "a")
    #expect(error.opening("/a", free: 0) == error)
  }
}
