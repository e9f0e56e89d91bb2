import AgentJSON
import AgentQueries

/// What a window's output must be, computed anew from all rows: the plainest code there is.
struct Recomputation {
  static let columns = """
    count() as n, count(v) as some, sum(v) as s, avg(v) as a, min(v) as lo, max(v) as hi, \
    first(v) as f, last(v) as l, firstv(v) as fv, lastv(v) as lv, var(v) as d, varp(v) as dp, \
    median(v) as m, percentile(v, 90) as p, dcount(v) as u, list(v) as every_v, set(v) as diff, \
    count():if(v > 5) as big
    """

  /// The row of the samples, which are in the order in which they came.
  static func row(_ samples: [Sample]) -> JSONObject {
    let ordered = samples.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map { $0.element.object["v"] ?? .null }
    let some = ordered.filter { !$0.isNull }
    let numbers = some.compactMap(\.double)
    var row: JSONObject = ["n": JSONValue(samples.count)]
    row["some"] = JSONValue(some.filter { $0 != false }.count)
    row["s"] = JSONValue(numbers.reduce(0, +))
    row["a"] = numbers.isEmpty ? .null : JSONValue(numbers.reduce(0, +) / Double(numbers.count))
    row["lo"] = some.min(by: before) ?? .null
    row["hi"] = some.max(by: before) ?? .null
    row["f"] = ordered.first ?? .null
    row["l"] = ordered.last ?? .null
    row["fv"] = some.first ?? .null
    row["lv"] = some.last ?? .null
    row["d"] = numbers.count < 2 ? .null : JSONValue(squares(numbers) / Double(numbers.count - 1))
    row["dp"] = numbers.isEmpty ? .null : JSONValue(squares(numbers) / Double(numbers.count))
    row["m"] = quantile(numbers, 0.5)
    row["p"] = quantile(numbers, 0.9)
    row["u"] = JSONValue(Set(some).count)
    row["every_v"] = .array(some)
    var seen: Set<JSONValue> = []
    row["diff"] = .array(some.filter { seen.insert($0).inserted })
    row["big"] = JSONValue(numbers.filter { $0 > 5 }.count)
    return row
  }

  /// Numbers before texts; the streams have no others.
  private static func before(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left.double < right.double
    case (.string(let left), .string(let right)): left < right
    case (.number, _): true
    default: false
    }
  }

  private static func squares(_ numbers: [Double]) -> Double {
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    return numbers.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
  }

  private static func quantile(_ numbers: [Double], _ share: Double) -> JSONValue {
    guard !numbers.isEmpty else { return .null }
    let sorted = numbers.sorted()
    let rank = share * Double(sorted.count - 1)
    let below = Int(rank)
    let above = min(below + 1, sorted.count - 1)
    let part = rank - Double(below)
    return JSONValue(sorted[below] * (1 - part) + sorted[above] * part)
  }

  /// The first column in which two rows differ by more than rounding; nil where none does.
  static func difference(_ row: JSONObject, _ expected: JSONObject) -> String? {
    for (name, value) in expected {
      let found = row[name] ?? .null
      if found == value { continue }
      if let left = found.double, let right = value.double,
        abs(left - right) <= 1e-9 * max(1, abs(right))
      {
        continue
      }
      return "\(name): \(found) instead of \(value)"
    }
    return nil
  }
}
