/// Draws a chart with characters. Time runs from left to right, values from the bottom up, and each
/// series is a line.
public struct Plot: Sendable {
  /// The largest number of characters of a line.
  public var width: Int
  /// The largest number of lines.
  public var height: Int
  /// Whether colors distinguish the series. Otherwise, each series has a character of its own.
  public var hasColors: Bool
  /// The offset of local time from UTC, in milliseconds. It is positive east of Greenwich.
  public var offset: Int64

  /// Creates a chart of this size, or of 24 characters by 6 lines if that is larger.
  public init(width: Int, height: Int, hasColors: Bool = false, offset: Int64 = 0) {
    self.width = max(width, 24)
    self.height = max(height, 6)
    self.hasColors = hasColors
    self.offset = offset
  }

  private static let colors = [36, 33, 35, 32, 34, 31, 37, 90]
  private static let marks: [Character] = ["*", "+", "o", "x", "#", "@", "%", "&"]

  /// Returns the lines of the chart, at most ``height``, or none if `data` has no value.
  public func lines(of data: PlotData) -> [String] {
    let series = data.series
    let buckets = series.flatMap(\.buckets)
    guard let lowest = buckets.map(\.lowest).min(), let highest = buckets.map(\.highest).max()
    else { return [] }
    let from = series.compactMap { one in one.buckets.first.map(one.time) }.min() ?? 0
    let last = series.compactMap { one in one.buckets.last.map(one.time) }.max() ?? 0
    let to = max(last, from + 1000)
    let legend = legend(data, from: from)
    let rows = max(3, height - 2 - legend.count)
    let values = NumberTicks(holding: lowest...highest, most: max(2, rows / 3))
    let margin = values.ticks.map(\.label.count).max() ?? 0
    var canvas = PlotCanvas(
      columns: max(8, width - margin - 2), rows: rows, isFine: hasColors || series.count == 1)
    let scale = Scale(from: from, to: to, values: values.range, canvas: canvas)
    for (number, one) in series.enumerated() {
      draw(one, number: number, scale: scale, on: &canvas)
    }
    return drawn(canvas, values: values, scale: scale, margin: margin)
      + times(scale, on: canvas, margin: margin) + legend
  }

  // MARK: Lines

  /// Converts times and values to dots of a canvas.
  private struct Scale {
    let from: Int64
    let to: Int64
    let values: ClosedRange<Double>
    let canvas: PlotCanvas

    func x(_ time: Int64) -> Int {
      Int((Double(time - from) / Double(to - from) * Double(canvas.width - 1)).rounded())
    }

    func y(_ value: Double) -> Int {
      let part = (values.upperBound - value) / (values.upperBound - values.lowerBound)
      return Int((part * Double(canvas.height - 1)).rounded())
    }
  }

  private func draw(
    _ series: PlotSeries, number: Int, scale: Scale, on canvas: inout PlotCanvas
  ) {
    let pen: PlotCanvas.Pen =
      canvas.isFine
      ? .dots(color: hasColors ? Self.colors[number] : nil) : .mark(Self.marks[number])
    var before: (x: Int, y: Int)?
    for bucket in series.buckets {
      let x = scale.x(series.time(of: bucket))
      if let before { canvas.line(from: before, to: (x, scale.y(bucket.first)), pen) }
      canvas.line(from: (x, scale.y(bucket.lowest)), to: (x, scale.y(bucket.highest)), pen)
      before = (x, scale.y(bucket.last))
    }
  }

  // MARK: Axes

  private func drawn(
    _ canvas: PlotCanvas, values: NumberTicks, scale: Scale, margin: Int
  ) -> [String] {
    var labels: [Int: String] = [:]
    for (value, label) in values.ticks {
      labels[scale.y(value) * canvas.rows / canvas.height] = label
    }
    return (0..<canvas.rows).map { row in
      let label = labels[row] ?? ""
      let blanks = String(repeating: " ", count: margin - label.count)
      return trimmed(blanks + label + (label.isEmpty ? " │" : " ┤") + canvas.text(ofRow: row))
    }
  }

  /// Returns the time axis and the line with its labels.
  private func times(_ scale: Scale, on canvas: PlotCanvas, margin: Int) -> [String] {
    var axis = [Character](repeating: "─", count: canvas.columns)
    var labels = [Character](repeating: " ", count: canvas.columns)
    let ticks = TimeTicks(from: scale.from, to: scale.to, width: canvas.columns, offset: offset)
    var free = 0
    for (time, label) in ticks.ticks {
      let column = scale.x(time) * canvas.columns / canvas.width
      axis[column] = "┬"
      let start = min(max(0, column - label.count / 2), canvas.columns - label.count)
      guard start >= free else { continue }
      labels.replaceSubrange(start..<start + label.count, with: Array(label))
      free = start + label.count + 1
    }
    let blanks = String(repeating: " ", count: margin + 1)
    return [blanks + "└" + String(axis), trimmed(blanks + " " + String(labels))]
  }

  // MARK: The legend

  /// Returns the lines of the legend: the name and the last value of each series, the number of
  /// series that aren't drawn, and the first day.
  private func legend(_ data: PlotData, from: Int64) -> [String] {
    var words: [(text: String, length: Int)] = []
    for (number, series) in data.series.enumerated() {
      let value = series.buckets.last.map { Self.text(of: $0.last) } ?? ""
      let text = "\(series.name) \(value)"
      switch (hasColors, data.series.count) {
      case (true, _):
        words.append(("\u{1B}[\(Self.colors[number])m●\u{1B}[0m \(text)", text.count + 2))
      case (false, 1): words.append((text, text.count))
      case (false, _): words.append(("\(Self.marks[number]) \(text)", text.count + 2))
      }
    }
    if data.hidden > 0 {
      let text = "and \(data.hidden) more that aren't drawn"
      words.append((text, text.count))
    }
    let day = TimeTicks.date(from + offset)
    words.append((day, day.count))
    var lines: [(text: String, length: Int)] = []
    for word in words {
      if let last = lines.last, last.length + 3 + word.length <= width {
        lines[lines.count - 1] = (last.text + "   " + word.text, last.length + 3 + word.length)
      } else {
        lines.append(word)
      }
    }
    return lines.map(\.text)
  }

  /// Returns a rounded value: six decimals below 1, three below 1,000, one from there on.
  private static func text(of value: Double) -> String {
    guard abs(value) < 1e15 else { return "\(value)" }
    let scale: Double = abs(value) >= 1000 ? 10 : abs(value) >= 1 ? 1000 : 1_000_000
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
  }

  private func trimmed(_ line: String) -> String {
    guard let end = line.lastIndex(where: { $0 != " " }) else { return "" }
    return String(line[...end])
  }
}
