import AgentSchedules
import BenchSupport

/// The times that were found, and how long one took.
struct Answer {
  var nanoseconds: Double
  var times: String

  init(line: String) throws {
    let parts = line.split(separator: "\t").map(String.init)
    guard parts.count == 2, let nanoseconds = Double(parts[0]) else {
      throw BenchError("not an answer: \(line)")
    }
    self.nanoseconds = nanoseconds
    times = parts[1]
  }

  static func answerAll() throws {
    let zones = TimeZoneDatabase()
    while let line = readLine() {
      let question = try Question(line: line)
      let zone = try zones.zone(named: question.zone)
      // As often as it takes for the clock to see it; the expression is parsed each time, as there.
      let rounds = RunLength.choose(full: 100, short: 2)
      var times: [Int64] = []
      let began = BenchClock.process.now
      for _ in 0..<rounds {
        let expression = try CronExpression(question.expression)
        times.removeAll(keepingCapacity: true)
        var time = question.start * 1000
        while times.count < question.count, let next = expression.next(after: time, in: zone) {
          times.append(next / 1000)
          time = next
        }
      }
      let took = Double(BenchClock.process.now - began) / Double(rounds * question.count)
      print("\(took)\t\(times.map(String.init).joined(separator: ","))")
    }
  }
}
