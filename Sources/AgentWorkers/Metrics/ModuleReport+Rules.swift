internal import AgentText

extension ModuleReport.Metric {
  /// The problem with the metric's name, labels, numbers or bounds, as a sentence; `nil` if it is
  /// valid.
  var problem: String? {
    guard Self.isName(name, atMost: 100) else {
      return "\"\(name.prefix(100))\" isn't a name for a metric: a lower-case letter, then "
        + "lower-case letters, digits and _, at most 100."
    }
    // Prometheus adds these suffixes to the name of a histogram. A metric with such a name could
    // clash with a histogram.
    for suffix in ["_bucket", "_count", "_sum"] where name.hasSuffix(suffix) {
      return "\"\(name)\" ends in \(suffix), which belongs to histograms. Choose another name."
    }
    guard (kind == .counter) == name.hasSuffix("_total") else {
      return kind == .counter
        ? "The counter \"\(name)\" must end in _total."
        : "\"\(name)\" ends in _total, which only counters do."
    }
    if labels.count > 10 { return "\"\(name)\" has \(labels.count) labels; 10 is the most." }
    for (label, value) in labels.sorted(by: { $0.key < $1.key }) {
      if let problem = Self.problem(label, value) { return "A label of \"\(name)\": \(problem)" }
    }
    guard change.isFinite else { return "A number of \"\(name)\" is too great." }
    guard let bounds else { return nil }
    guard (1...50).contains(bounds.count), bounds.allSatisfy(\.isFinite),
      zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 })
    else {
      return "The bounds of \"\(name)\" are 1 to 50 numbers, each greater than the one before."
    }
    return nil
  }

  private static func problem(_ label: String, _ value: String) -> String? {
    // Prometheus uses `le` for the bound of a bucket, and the page adds `process`.
    if ["le", "module", "process"].contains(label) {
      return "\"\(label)\" belongs to the host. Choose another name."
    }
    guard isName(label, atMost: 64) else {
      return "\"\(label.prefix(64))\" isn't a name: a lower-case letter, then lower-case letters, "
        + "digits and _, at most 64."
    }
    guard value.utf8.count <= 128 else {
      return "the value of \"\(label)\" has \(value.utf8.count) bytes; 128 is the most."
    }
    return nil
  }

  private static func isName(_ text: String, atMost most: Int) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
    return text.utf8.count <= most
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
      }
  }
}

extension ModuleReport.Change {
  /// Whether all numbers are finite.
  fileprivate var isFinite: Bool {
    switch self {
    case .add(let value), .set(let value), .counts(_, sum: let value): value.isFinite
    case .observe(let values): values.allSatisfy(\.isFinite)
    }
  }
}

extension ModuleReport.Part {
  /// The problem with the component's name, as a sentence; `nil` if it is valid.
  var problem: String? {
    let isPlain = component.utf8.allSatisfy { byte in
      byte.isASCIIAlphanumeric || [0x20, 0x2D, 0x2E, 0x2F, 0x3A, 0x5F].contains(byte)
    }
    if isPlain && component.utf8.count <= 64 { return nil }
    return "\"\(component.prefix(64))\" isn't a name for a component: letters, digits, spaces and "
      + "_ - . / :, at most 64."
  }
}
