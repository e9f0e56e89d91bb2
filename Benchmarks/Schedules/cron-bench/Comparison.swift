import BenchSupport
import Glibc

/// Our answers beside cronsim's, round by round; alone in a short run.
struct Comparison {
  var folder: String
  private static let rounds = 1...RunLength.rounds(5)
  private static let target = 10.0

  func report() throws {
    let questions = try lines(of: "questions").map(Question.init(line:))
    let ours = try Self.rounds.map { try answers("ours-\($0)") }
    if RunLength.isShort { return report(questions, alone: ours) }
    let theirs = try Self.rounds.map { try answers("cronsim-\($0)") }
    var met = true
    print(
      "expression | zone | next time | cronsim | ratio (target at least \(Int(Self.target)) ×) | met"
    )
    for (index, question) in questions.enumerated() {
      let pairs = try zip(ours, theirs).map { ours, theirs in
        guard ours.count == questions.count, theirs.count == questions.count,
          ours[index].times == theirs[index].times
        else { throw BenchError("\(question.expression): cronsim finds other times") }
        return (ours[index].nanoseconds, theirs[index].nanoseconds)
      }
      let ratio = pairs.map { $0.1 / $0.0 }.median
      met = met && ratio >= Self.target
      print(
        "\(question.expression) | \(question.zone) | \(Int(pairs.map(\.0).median)) ns | "
          + "\(Int(pairs.map(\.1).median)) ns | \(Int(ratio)) × | \(ratio >= Self.target ? "yes" : "NO")"
      )
    }
    print("\(questions.map(\.count).reduce(0, +)) times are the same as cronsim's")
    if !met { throw BenchError("a target is missed") }
  }

  private func report(_ questions: [Question], alone rounds: [[Answer]]) {
    print("expression | zone | next time")
    for (index, question) in questions.enumerated() {
      let time = rounds.compactMap { $0.indices.contains(index) ? $0[index].nanoseconds : nil }
      print("\(question.expression) | \(question.zone) | \(Int(time.median)) ns")
    }
  }

  private func answers(_ name: String) throws -> [Answer] {
    try lines(of: name).map(Answer.init(line:))
  }

  private func lines(of name: String) throws -> [String] {
    guard let file = fopen("\(folder)/\(name)", "r") else { throw BenchError("no file \(name)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
