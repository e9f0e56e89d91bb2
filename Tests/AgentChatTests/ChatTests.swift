import AgentChat
import AgentJSON
import Testing

struct ChatTests {
  private struct Fixed: ChatAdapter {
    let name: String
    let result: Result<ChatAnswer?, ChatError>
    init(_ name: String, _ confidence: Double?) {
      self.name = name
      result = .success(confidence.map { ChatAnswer(confidence: $0, text: "I am \(name)") })
    }
    init(failing name: String) {
      self.name = name
      result = .failure(ChatError(code: .adapterFailed, message: "broken"))
    }
    func answer(_ statement: ChatStatement, timeout: Duration) async throws -> ChatAnswer? {
      try result.get()
    }
  }

  private let hello = ChatStatement(text: "hello", timestamp: 1)

  @Test func `the highest confidence wins, and the first of equals`() async throws {
    let reply = try await Chat().reply(
      to: hello, asking: [Fixed("a", 0.2), Fixed("b", 0.9), Fixed("c", 0.9), Fixed("d", nil)])
    #expect(reply.adapter == "b")
    #expect(reply.answer?.text == "I am b")
    #expect(reply.candidates.map(\.adapter) == ["a", "b", "c", "d"])
  }

  @Test func `confidence zero never wins`() async throws {
    let reply = try await Chat().reply(to: hello, asking: [Fixed("a", 0), Fixed("b", nil)])
    #expect(reply.answer == nil)
    #expect(reply.json["text"] == .null)
  }

  @Test func `a failing adapter is named and doesn't affect the others`() async throws {
    let reply = try await Chat().reply(to: hello, asking: [Fixed(failing: "x"), Fixed("a", 0.1)])
    #expect(reply.adapter == "a")
    #expect(reply.candidates.first?.problem?.message == "broken")
  }

  /// Never answers, and ignores its cancellation.
  private struct Deaf: ChatAdapter {
    let name = "deaf"

    func answer(_ statement: ChatStatement, timeout: Duration) async throws -> ChatAnswer? {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return nil
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `an adapter that never answers is left out and holds nobody up`() async throws {
    let chat = Chat(timeout: .seconds(10)) { _ in }
    let reply = try await chat.reply(to: hello, asking: [Deaf(), Fixed("a", 0.1), Deaf()])
    #expect(reply.candidates.map(\.adapter) == ["deaf", "a", "deaf"])
    #expect(reply.candidates.first?.problem?.code == .timedOut)
  }

  @Test func `a question without adapters gets an error that says what to do`() async {
    await #expect(throws: ChatError.self) { try await Chat().reply(to: hello, asking: []) }
  }

  @Test(arguments: [
    #"{"text":"x"}"#, #"{"confidence":2,"text":"x"}"#, #"{"confidence":0.5}"#,
    #"{"confidence":"1"}"#,
  ])
  func `an output that isn't an answer is refused`(output: String) throws {
    let value = try JSONValue(parsing: output)
    #expect(throws: ChatError.self) { try ChatAnswer(adapterOutput: value) }
  }

  @Test func `null and confidence zero both mean no answer`() throws {
    #expect(try ChatAnswer(adapterOutput: .null) == nil)
    #expect(try ChatAnswer(adapterOutput: ["confidence": 0]) == nil)
  }

  @Test func `the input has the shape that the adapters' schema describes`() {
    let statement = ChatStatement(text: "hi", author: "ann", timestamp: 5)
    #expect(statement.json["text"] == "hi")
    #expect(statement.json["author"] == "ann")
    #expect(statement.json["room"] == nil)
  }
}
