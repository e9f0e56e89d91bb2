import AgentJSON
import AgentHost
import AgentWorkers
import Testing

@testable import AgentWeb

/// The answer to a refused body, and what it leaves out.
@Suite struct ShapeTests {
  private static let shape = Shape.object(
    "Order", as: "an order", required: ["password"],
    [
      "password": ["type": "string", "writeOnly": true],
      "pin": ["type": "string", "format": "password"],
      "api_key": ["type": "string"], "room": ["type": "string"], "max_tokens": ["type": "integer"],
      "nested": ["type": "object", "properties": ["token": ["type": "string"]]],
    ])

  private func refusal(_ body: String) throws -> HostError {
    try #require(Self.shape.refusal(of: JSONDocument(parsing: Array(body.utf8))))
  }

  @Test(arguments: [
    (#"{"password": 4711}"#, "expected a string, found a number."),
    (#"{"password": ["4711"]}"#, "expected a string, found an array."),
    (#"{"password": "x", "pin": 4711}"#, "expected a string, found a number."),
    (#"{"password": "x", "api_key": 4711}"#, "expected a string, found a number."),
    (#"{"password": "x", "nested": {"token": 4711}}"#, "expected a string, found a number."),
    (#"{"password": "x", "nested": {"token": {"a": 4711}}}"#, "found an object."),
  ])
  func `a wrong value in a secret place is reported only by its type`(body: String, message: String)
    throws
  {
    let error = try refusal(body)
    let said = error.message + error.problems.map { $0.text() }.joined()
    #expect(!said.contains("4711"), "\(said)")
    #expect(
      said.contains(message) && said.contains("The value is secret and isn't shown."), "\(said)")
  }

  @Test func `a shape that refers to another checks that one, too`() throws {
    let item = Shape.object("Item", as: "an item", required: ["n"], ["n": ["type": "integer"]])
    let box = Shape.object(
      "Box", as: "a box", ["items": ["type": "array", "items": item.reference]], uses: [item])
    let crate = Shape.object("Crate", as: "a crate", ["box": box.reference], uses: [box])
    #expect(crate.fault == nil)
    func refuses(_ body: String) throws -> Bool {
      try crate.refusal(of: JSONDocument(parsing: Array(body.utf8))) != nil
    }
    #expect(try !refuses(#"{"box": {"items": [{"n": 1}]}}"#))
    #expect(try refuses(#"{"box": {"items": [{"n": "1"}]}}"#))
    #expect(try refuses(#"{"box": {"itmes": []}}"#))
    #expect(try refuses(#"{"bx": {}}"#))
  }

  @Test func `a shape that doesn't compile refuses everything with the reason`() throws {
    let item = Shape.object("Item", as: "an item", [:])
    // What it refers to isn't said.
    let box = Shape.object("Box", as: "a box", ["item": item.reference])
    #expect(box.fault?.contains("Box") == true)
    let error = try #require(try box.refusal(of: JSONDocument(parsing: Array("{}".utf8))))
    #expect(error.code == .failed)
  }

  @Test func `the bodies of batches and schedules compile`() {
    for shape in [Shape.newBatch, .newSchedule, .scheduleEdit, .newTask, .newBot] {
      #expect(shape.isSent && shape.fault == nil, "\(shape.fault ?? "")")
    }
  }

  @Test(arguments: [
    (#"{"password": "x", "room": 4711}"#, "found 4711"),
    (#"{"password": "x", "max_tokens": "4711"}"#, "found \"4711\". Remove the quotes."),
  ])
  func `any other value is shown in the message`(body: String, message: String) throws {
    #expect(try refusal(body).message.contains(message))
  }
}
