import AgentStore
import Testing

/// Tokens, users and the audit log.
@Suite struct AccessStorageTests {
  private func token(_ id: String, created: Int64 = 1, expires: Int64? = nil) -> TokenRow {
    TokenRow(
      id: id, name: "n \(id)", kind: "program", subject: "s", scopes: ["operate", "read"],
      digest: [1, 0, 2], created: created, expires: expires)
  }

  private func line(_ number: Int64, action: String = "a") -> AuditRow {
    AuditRow(
      number: number, timestamp: number * 10, actor: "ada", address: "unix", action: action,
      target: "t", outcome: "done", detail: Array("{}".utf8), hash: [UInt8(number)])
  }

  private func user(_ name: String, role: String = "viewer", updated: Int64 = 1) -> UserRow {
    UserRow(name: name, role: role, passwordHash: "h", created: 1, updated: updated)
  }

  @Test(arguments: Implementation.allCases)
  func `tokens are stored completely, revoked once and removed when they are over`(
    _ implementation: Implementation
  ) async throws {
    var test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let tokens = transaction.tokens
      try tokens.insert(token("b", created: 2, expires: 9))
      try tokens.insert(token("a"))
      #expect { try tokens.insert(token("a")) } throws: {
        ($0 as? StoreError)?.code == .conflict
      }
      #expect(try tokens.revoke("a", now: 5))
      #expect(try tokens.revoke("a", now: 6) == false)
      #expect(try tokens.revoke("z", now: 6) == false)
      try tokens.used(["b": 7, "z": 8])
    }
    test = try await test.reopened(implementation)
    var (a, b) = (token("a"), token("b", created: 2, expires: 9))
    (a.revoked, b.used) = (5, 7)
    #expect(try await test.store.read { try $0.tokens.tokens() } == [a, b])
    try await test.store.write { try $0.tokens.remove(["a", "z"]) }
    #expect(try await test.store.read { try $0.tokens.tokens() } == [b])
    try await test.store.write { try $0.tokens.remove(["b"]) }
    #expect(try await test.store.read { try $0.tokens.tokens() } == [])
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a user's name is unique, whatever its case`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let users = transaction.users
      try users.insert(user("bob"))
      try users.insert(user("Ada"))
      #expect { try users.insert(user("ADA")) } throws: {
        ($0 as? StoreError)?.code == .conflict
      }
      try users.update(user("ada", role: "operator", updated: 4))
      #expect { try users.update(user("eve")) } throws: {
        ($0 as? StoreError)?.code == .missing
      }
      #expect(try users.remove("Bob"))
      #expect(try users.remove("bob") == false)
    }
    let left = try await test.store.read { try $0.users.users() }
    #expect(left == [user("Ada", role: "operator", updated: 4)])
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `audit lines are chained and read in both directions`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    #expect(try await test.store.read { try $0.audit.last() } == nil)
    try await test.store.write { [self] transaction throws in
      for number in 1...5 { try transaction.audit.append(line(Int64(number))) }
      for wrong in [5, 7] as [Int64] {
        #expect { try transaction.audit.append(line(wrong)) } throws: {
          ($0 as? StoreError)?.code == .conflict
        }
      }
    }
    try await test.store.read { [self] snapshot throws in
      #expect(try snapshot.audit.last() == line(5))
      #expect(try snapshot.audit.entries(after: 2, limit: 2) == [line(3), line(4)])
      let log = snapshot.audit
      #expect(try log.entries(.init(before: 3), limit: 9) == [line(2), line(1)])
      #expect(try log.entries(.init(before: 3), limit: -1) == [])
      #expect(try log.entries(.init(since: 40), limit: 9) == [line(5), line(4)])
      #expect(try log.entries(.init(actor: "ada", action: "a"), limit: 1) == [line(5)])
      #expect(try log.entries(.init(actor: "eve"), limit: 9) == [])
      #expect(try log.page(.init(actor: "eve"), limit: 9) == AuditPage(rows: [], before: nil))
      var bounded = AuditSelection(actor: "eve")
      bounded.look = 2
      #expect(try log.page(bounded, limit: 9) == AuditPage(rows: [], before: 4))
      bounded.actor = nil
      #expect(try log.page(bounded, limit: 9).rows == [line(5), line(4)])
      #expect(try log.entries(.init(action: "b"), limit: 9) == [])
      #expect(try log.entries(.init(since: 20, until: 40), limit: 9) == [line(3), line(2)])
      #expect(try log.entries(.init(target: "t", outcome: "done"), limit: 1) == [line(5)])
      #expect(try log.entries(.init(target: "u"), limit: 9) == [])
      #expect(try log.entries(.init(outcome: "forbidden"), limit: 9) == [])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `the audit log is removed from its beginning, as far as announced`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let audit = transaction.audit
      #expect(try audit.first() == nil)
      #expect(try audit.cut() == nil)
      #expect(try audit.bytes(after: 0, through: 99) == 0)
      for number in 1...5 { try audit.append(line(Int64(number))) }
      // Nothing may go that nobody has said.
      #expect(try audit.removeCut(limit: 9) == 0)
      try audit.cut(through: AuditCut(number: 3, hash: [3]))
      #expect(try audit.removeCut(limit: 2) == 2)
      #expect(try audit.first() == line(3))
      #expect(try audit.removeCut(limit: 9) == 1)
      #expect(try audit.removeCut(limit: 9) == 0)
      for number in [2, 3] as [Int64] {
        #expect { try audit.cut(through: AuditCut(number: number, hash: [])) } throws: {
          ($0 as? StoreError)?.code == .conflict
        }
      }
      try audit.cut(through: AuditCut(number: 4, hash: [4]))
    }
    try await test.store.read { [self] snapshot throws in
      #expect(try snapshot.audit.first() == line(4))
      #expect(try snapshot.audit.cut() == AuditCut(number: 4, hash: [4]))
      #expect(
        try snapshot.audit.bytes(after: 0, through: 99) == 2
          * Int64(3 + 4 + 1 + 1 + 4 + 2 + 1 + AuditRow.overhead))
    }
    await test.store.close()
  }
}
