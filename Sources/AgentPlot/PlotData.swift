public import AgentJSON

/// What is drawn: the numbers of rows, as they come from a query, over their timestamps.
///
/// Each column of numbers is a series; where rows are grouped, each column of each group.
public struct PlotData: Sendable {
  /// The number of series that colors can distinguish.
  static let maxSeries = 8
  /// The number of names of other series that are remembered for counting them.
  private static let maxOthers = 1000
  /// Numbers beyond it would leave the range of what is reckoned with.
  private static let largest = 1e300
  /// The times that a calendar knows, in milliseconds: what JavaScript's dates span.
  private static let latest = 8_640_000_000_000_000

  /// The columns by which rows are grouped.
  public var groups: [String]
  /// How many rows have come.
  public private(set) var rows = 0
  private(set) var series: [PlotSeries] = []
  private var places: [String: Int] = [:]
  private var others: Set<String> = []
  private var columns: [String] = []

  /// No rows yet.
  public init(groups: [String] = []) { self.groups = groups }

  /// Whether there is nothing to draw.
  public var isEmpty: Bool { series.isEmpty }

  /// How many series there are beside those that are drawn.
  var hidden: Int { others.count }

  /// Takes in a row. A value that isn't a number, and a row without a timestamp, count nothing.
  public mutating func add(_ row: JSONObject) {
    rows += 1
    if columns.isEmpty { columns = row.keys.map(\.self) }
    guard let time = row["timestamp"]?.int, abs(Double(time)) <= Double(Self.latest) else {
      return
    }
    let group = groups.map { row[$0].map(Self.word) ?? "-" }.joined(separator: ", ")
    for (column, value) in row where column != "timestamp" && !groups.contains(column) {
      guard let number = value.double, number.isFinite else { continue }
      let value = min(max(number, -Self.largest), Self.largest)
      add(value, at: Int64(time), Name(group: group, column: column))
    }
  }

  /// Why there is nothing to draw, in a sentence.
  public var reasonForNothing: String {
    if rows == 0 { return "There is nothing to draw: no rows came." }
    let names = columns.prefix(8).joined(separator: ", ")
    return "There is nothing to draw: no column of the \(rows) rows has numbers beside timestamp "
      + "(\(names)). Count something: … => count() every minute"
  }

  private struct Name {
    let group: String
    let column: String
  }

  private mutating func add(_ value: Double, at time: Int64, _ name: Name) {
    let key = "\(name.group)\u{0}\(name.column)"
    if let place = places[key] { return series[place].add(value, at: time) }
    guard series.count < Self.maxSeries else {
      if others.count < Self.maxOthers { others.insert(key) }
      return
    }
    places[key] = series.count
    let words = [name.group, name.column].filter { !$0.isEmpty }
    var added = PlotSeries(name: Self.printable(words.joined(separator: " ")))
    added.add(value, at: time)
    series.append(added)
  }

  private static func word(_ value: JSONValue) -> String { value.string ?? value.text() }

  /// Without what could move the cursor, and no longer than a legend can bear.
  private static func printable(_ text: String) -> String {
    let safe = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? "?" : scalar
        }))
    return safe.count > 40 ? safe.prefix(39) + "…" : safe
  }
}
