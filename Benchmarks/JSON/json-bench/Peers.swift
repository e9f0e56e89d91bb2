import BenchSupport
import Foundation

/// The validators of PyPI, in one Python process that waits while it isn't asked.
final class Peers {
  static let validators = ["jsonschema-rs", "fastjsonschema", "jsonschema"]

  private let process = Process()
  private let questions = Pipe()
  private let answers = Pipe()
  private var unread = ""

  init(python: String, script: String) throws {
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = [script]
    process.standardInput = questions
    process.standardOutput = answers
    try process.run()
  }

  /// The CPU seconds of `count` checks; nil if the validator can't take the schema.
  func seconds(_ validator: String, mode: String, item: Documents.Case, count: Int) throws
    -> Double?
  {
    let question = "\(validator) \(mode) \(item.schema) \(item.document) \(count)\n"
    questions.fileHandleForWriting.write(Data(question.utf8))
    return Double(try line())
  }

  private func line() throws -> String {
    while true {
      if let end = unread.firstIndex(of: "\n") {
        defer { unread = String(unread[unread.index(after: end)...]) }
        return String(unread[..<end])
      }
      let data = answers.fileHandleForReading.availableData
      if data.isEmpty { throw BenchError("the peers have ended") }
      unread += String(decoding: data, as: UTF8.self)
    }
  }

  deinit {
    questions.fileHandleForWriting.closeFile()
    process.waitUntilExit()
  }
}
