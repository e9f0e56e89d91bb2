public import AgentJSON

/// Collects the rows of a query's result for a chart, by their timestamps.
///
/// Each numeric column is a series. Where rows are grouped, each numeric column of each group is
/// one.
public struct PlotData: Sendable {
  /// The number of series that colors can distinguish.
  static let maxSeries = 8
  /// The number of further series whose names are kept, so that each counts once.
  private static let maxOthers = 1000
  /// The largest size of a value. Differences of larger values could overflow to infinity on the
  /// axis.
  private static let largest = 1e300
  /// The largest timestamp that is drawn, in Unix milliseconds. It is the limit of JavaScript's
  /// dates.
  private static let latest = 8_640_000_000_000_000

  /// The columns by which rows are grouped.
  public var groups: [String]
  /// The number of rows added, including those without a number.
  public private(set) var rows = 0
  private(set) var series: [PlotSeries] = []
  private var places: [String: Int] = [:]
  private var others: Set<String> = []
  private var columns: [String] = []

  /// Creates an empty collection.
  /// - Parameter groups: the columns by which the query groups its rows.
  public init(groups: [String] = []) { self.groups = groups }

  /// Whether no row had a number to draw.
  public var isEmpty: Bool { series.isEmpty }

  /// The number of series that aren't drawn because the chart is full, up to 1,000.
  var hidden: Int { others.count }

  /// Adds a row. Values that aren't finite numbers are skipped, and so are rows without a valid
  /// `timestamp`.
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

  /// A sentence for a person that explains why the chart is empty.
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

  /// Replaces control characters, which could move the terminal's cursor, and cuts the name to 40
  /// characters.
  private static func printable(_ text: String) -> String {
    let safe = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? "?" : scalar
        }))
    return safe.count > 40 ? safe.prefix(39) + "…" : safe
  }
}
