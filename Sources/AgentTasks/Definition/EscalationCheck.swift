internal import AgentAssignment
internal import AgentJSON
internal import AgentSystem
internal import AgentText

/// Checks the escalation of a task before it is stored. Otherwise, a mistake would show only when
/// the task is late.
enum EscalationCheck {
  /// The shortest time between two repetitions of a step, in milliseconds.
  static let shortestRepetition: Int64 = 1_000
  /// The ranges of the numbers in a step.
  private static let numbers: [(key: String, range: ClosedRange<Int64>)] = [
    ("after_ms", 0...TaskBounds.greatest), ("every_ms", shortestRepetition...TaskBounds.greatest),
    ("times", 1...1_000_000),
  ]
  private static let targets = ["bot", "bot_type", "user", "priority"]
  private static let points: ClosedRange<Int64> = -1_000...1_000

  /// Returns a sentence for each problem, with its place.
  static func problems(_ steps: [JSONValue]) -> [String] {
    if steps.count > 20 { return ["escalation has \(steps.count) steps; 20 are the most."] }
    return steps.enumerated().flatMap { problems($1, at: "escalation[\($0)]") }
  }

  private static func problems(_ step: JSONValue, at place: String) -> [String] {
    guard let object = step.object else { return ["\(place) isn't an object."] }
    var problems = unknown(object, among: ["when", "to"] + numbers.map(\.key), at: place)
    if let when = object["when"], Escalation.Trigger(rawValue: when.string ?? "") == nil {
      problems.append(
        "\(place).when is \"unaccepted\" or \"overdue\"."
          + suggestion(when, ["unaccepted", "overdue"]))
    }
    if object["after_ms"] == nil { problems.append("\(place).after_ms is missing.") }
    for (key, range) in numbers {
      guard let value = object[key] else { continue }
      guard let number = value.int64, range.contains(number) else {
        problems.append(
          "\(place).\(key) is a whole number from \(range.lowerBound) to \(range.upperBound).")
        continue
      }
    }
    return problems + target(object["to"], at: "\(place).to")
  }

  private static func target(_ value: JSONValue?, at place: String) -> [String] {
    guard let object = value?.object else {
      return ["\(place) is missing: name one of \(targets.joined(separator: ", "))."]
    }
    var problems = unknown(object, among: targets, at: place)
    let named = targets.filter { object[$0] != nil }
    // An unknown key is reported already. It is probably a misspelled target.
    if named.count != 1, problems.isEmpty {
      problems.append("\(place) names one of \(targets.joined(separator: ", ")), and no other.")
    }
    for key in named where key != "priority" {
      let name = object[key]?.string
      if name == nil { problems.append("\(place).\(key) is a text.") }
      if let problem = NameCheck.problem(name, at: "\(place).\(key)") { problems.append(problem) }
    }
    if let value = object["priority"] {
      let isRight = value.int64.map { points.contains($0) && $0 != 0 } ?? false
      if !isRight {
        problems.append("\(place).priority is a number of points from -1000 to 1000, and not 0.")
      }
    }
    return problems
  }

  private static func unknown(
    _ object: JSONObject, among keys: [String], at place: String
  ) -> [String] {
    object.filter { !keys.contains($0.key) }.map { key, _ in
      "\(place) has no key \"\(String(key.prefix(100)))\"." + suggestion(.string(key), keys)
    }
  }

  private static func suggestion(_ value: JSONValue, _ names: [String]) -> String {
    NameSuggestion.question(value.string.flatMap { NameSuggestion.of($0, among: names) })
  }
}
