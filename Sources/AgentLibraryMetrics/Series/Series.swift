internal import AgentMetrics

/// A series as Prometheus wants it, of a label and dimensions that may be anything.
///
/// Rationale: https://prometheus.io/docs/concepts/data_model and, for the suffixes,
/// https://prometheus.io/docs/practices/naming.
struct Series: Hashable, Sendable {
  let name: String
  let kind: MetricKind
  let labels: MetricLabels
  let help: String

  /// - Parameter unit: what the name ends with, before `_total`.
  init(_ label: String, dimensions: [(String, String)], kind: MetricKind, unit: String) {
    var stem = "bulkhead_library_" + Self.word(label, longest: 150)
    // It is what a counter's name ends with, and no other's.
    if stem.hasSuffix("_total") { stem.removeLast("_total".utf8.count) }
    if !stem.hasSuffix(unit) { stem += unit }
    name = kind == .counter ? stem + "_total" : stem
    self.kind = kind
    labels = Self.labels(dimensions)
    help = "The metric \"\(label.prefix(150))\" of a library."
  }

  private init(_ series: Series, labels: MetricLabels) {
    name = series.name
    kind = series.kind
    help = series.help
    self.labels = labels
  }

  /// The series of all that has no place of its own.
  var other: Series {
    Series(self, labels: MetricLabels(labels.pairs.map { ($0.name, "other") }))
  }

  static func == (left: Series, right: Series) -> Bool {
    left.name == right.name && left.kind == right.kind && left.labels == right.labels
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(kind)
    hasher.combine(labels)
  }

  /// At most as many labels as a series may have; of two that become the same the last counts.
  private static func labels(_ dimensions: [(String, String)]) -> MetricLabels {
    var values: [String: String] = [:]
    for (key, value) in dimensions {
      let name = labelName(key)
      guard values.count < 16 || values[name] != nil else { continue }
      values[name] = shortened(value, to: 256)
    }
    return MetricLabels(values.map { ($0.key, $0.value) })
  }

  private static func labelName(_ key: String) -> String {
    let name = word(key, longest: 100)
    // `le` is a histogram's own, and what begins with `__` is Prometheus' own.
    if name == "le" || name.hasPrefix("__") { return "library_" + name }
    return name.utf8.first.map { (0x30...0x39).contains($0) } ?? true ? "_" + name : name
  }

  /// Letters, digits and `_`.
  private static func word(_ text: String, longest: Int) -> String {
    let bytes = text.utf8.prefix(longest).map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        byte
      default: UInt8(ascii: "_")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The longest prefix of whole characters that has at most `bytes` bytes.
  private static func shortened(_ text: String, to bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var scalars = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      count += UTF8.width(scalar)
      if count > bytes { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
