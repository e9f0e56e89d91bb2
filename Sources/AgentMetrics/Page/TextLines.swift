/// Writes families in a text form, line by line.
struct TextLines {
  let form: PrometheusText
  private(set) var bytes: [UInt8] = []

  init(form: PrometheusText) { self.form = form }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ family: MetricFamily) {
    // OpenMetrics names a counter's family without the suffix that its samples have.
    let title =
      form == .openMetrics && family.kind == .counter
      ? String(family.name.dropLast("_total".count)) : family.name
    append("# HELP \(title) ")
    append(escaped: family.help, quotes: form == .openMetrics)
    append("\n# TYPE \(title) \(family.kind.rawValue)\n")
    for sample in family.samples {
      switch sample.value {
      case .number(let value): line(family.name, labels: sample.labels, value: number(value))
      case .histogram(let value): append(value, name: family.name, labels: sample.labels)
      }
    }
  }

  private mutating func append(
    _ histogram: HistogramSnapshot, name: String, labels: MetricLabels
  ) {
    var below = 0
    for (bound, count) in zip(histogram.labels, histogram.counts) {
      below += count
      // OpenMetrics requires a fraction. The plain form has it too: the label is text, so `1` and
      // `1.0` would be two series for a server that alternates between the forms.
      line(
        name + "_bucket", labels: labels, value: String(below),
        bound: bound.map { "\($0)" } ?? "+Inf")
    }
    line(name + "_sum", labels: labels, value: number(histogram.sum))
    line(name + "_count", labels: labels, value: String(below))
  }

  private mutating func line(
    _ name: String, labels: MetricLabels, value: String, bound: String? = nil
  ) {
    append(name)
    if bound != nil || !labels.pairs.isEmpty {
      var separator = "{"
      for label in labels.pairs {
        append("\(separator)\(label.name)=\"")
        append(escaped: label.value, quotes: true)
        append("\"")
        separator = ","
      }
      if let bound { append("\(separator)le=\"\(bound)\"") }
      append("}")
    }
    append(" \(value)\n")
  }

  private mutating func append(escaped text: String, quotes: Bool) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): append("\\\\")
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\"") where quotes: append("\\\"")
      default: bytes.append(byte)
      }
    }
  }

  private func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int(exactly: value).map(String.init) ?? "\(value)"
  }
}
