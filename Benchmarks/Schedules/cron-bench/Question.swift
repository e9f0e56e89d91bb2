import BenchSupport

/// An expression whose next times are asked for, one after the other.
struct Question {
  var expression: String
  var zone: String
  /// Unix seconds.
  var start: Int64
  var count: Int

  /// Five that stand in many a crontab; zones with daylight saving time are among them.
  static let typical = [
    Question(expression: "*/5 * * * *", zone: "UTC", start: epoch, count: many),
    Question(expression: "0 2 * * *", zone: "Europe/Berlin", start: epoch, count: many),
    Question(expression: "30 9 * * 1-5", zone: "America/New_York", start: epoch, count: many),
    Question(expression: "0 0 1 * *", zone: "UTC", start: epoch, count: many / 10),
    Question(expression: "15,45 8-18 * * *", zone: "Europe/Berlin", start: epoch, count: many),
  ]

  private static let many = RunLength.choose(full: 3_000, short: 50)
  /// 2026-11-01T00:00:00Z.
  private static let epoch: Int64 = 1_793_491_200

  var line: String { "\(expression)\t\(zone)\t\(start)\t\(count)" }

  init(expression: String, zone: String, start: Int64, count: Int) {
    self.expression = expression
    self.zone = zone
    self.start = start
    self.count = count
  }

  init(line: String) throws {
    let parts = line.split(separator: "\t").map(String.init)
    guard parts.count == 4, let start = Int64(parts[2]), let count = Int(parts[3]) else {
      throw BenchError("not a question: \(line)")
    }
    self.init(expression: parts[0], zone: parts[1], start: start, count: count)
  }
}
