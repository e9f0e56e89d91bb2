import AgentStore
import Testing

@testable import AgentAccess

@Suite struct ReplyBookTests {
  private let request = Array("add_process /api/v1/processes\n{}".utf8)

  private func word(_ admission: ReplyBook.Admission) -> String {
    switch admission {
    case .new: "new"
    case .answered(let row):
      "answered \(row.status ?? 0) \(String(decoding: row.body, as: UTF8.self))"
    case .underWay: "under way"
    case .interrupted: "interrupted"
    case .different: "different"
    }
  }

  private func admit(
    _ book: ReplyBook, _ who: String = "program:a", _ key: String = "k", _ bytes: [UInt8]? = nil
  ) async throws -> String {
    word(try await book.admit(who, key: key, request: bytes ?? request))
  }

  @Test func `what was asked once is answered the same way again`() async throws {
    let fixture = try await AccessFixture()
    let book = ReplyBook(fixture.store, now: fixture.now)
    #expect(try await admit(book) == "new")
    #expect(try await admit(book) == "under way")
    try await book.finish(
      "program:a", key: "k", status: 201, contentType: "application/json", body: Array("{}".utf8))
    #expect(try await admit(book) == "answered 201 {}")
    // After a restart too; but another request, or somebody else's key, is another matter.
    let again = ReplyBook(fixture.store, now: fixture.now)
    #expect(try await admit(again) == "answered 201 {}")
    #expect(try await admit(again, "program:a", "k", [1]) == "different")
    #expect(try await admit(again, "program:b") == "new")
    #expect(try await admit(again, "program:a", "l") == "new")
    await fixture.store.close()
  }

  @Test func `what was refused may come again, what was interrupted may not`() async throws {
    let fixture = try await AccessFixture()
    let book = ReplyBook(fixture.store, now: fixture.now)
    #expect(try await admit(book) == "new")
    try await book.abandon("program:a", key: "k")
    #expect(try await admit(book) == "new")
    // The host ends here, and nobody knows how far it got.
    let again = ReplyBook(fixture.store, now: fixture.now)
    #expect(try await admit(again) == "interrupted")
    await fixture.store.close()
  }

  @Test func `answers are kept for a day`() async throws {
    let fixture = try await AccessFixture()
    let book = ReplyBook(fixture.store, now: fixture.now)
    #expect(try await admit(book) == "new")
    try await book.finish("program:a", key: "k", status: 200, contentType: "", body: [])
    fixture.advance(ReplyBook.lifetime)
    #expect(try await admit(book) == "answered 200 ")
    fixture.advance(1)
    #expect(try await admit(book) == "new")
    await fixture.store.close()
  }
}
