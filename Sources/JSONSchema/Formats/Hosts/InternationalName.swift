import AgentText

/// Domain names of IDNA2008 (RFC 5890 to 5893), with labels in ASCII, U-labels and A-labels.
enum InternationalName {
  static func check(
    _ name: [Unicode.Scalar], dots: [Unicode.Scalar]
  ) throws(FormatFault) {
    guard name.count <= HostnameFormat.longestName else { throw .longName }
    var labels: [[Unicode.Scalar]] = []
    var length = -1
    for part in name.split(omittingEmptySubsequences: false, whereSeparator: dots.contains) {
      let label = Array(part)
      let (written, size) = try read(label)
      labels.append(written)
      length += 1 + size
    }
    guard length <= HostnameFormat.longestName else { throw .longName }
    // RFC 5893, section 2: one right-to-left label imposes the rule on all labels.
    guard labels.contains(where: BidiRule.isRightToLeft) else { return }
    for label in labels where !BidiRule.admits(label) { throw .directions }
  }

  /// Returns the label in its own script, and its length in ASCII.
  private static func read(
    _ label: [Unicode.Scalar]
  ) throws(FormatFault) -> (written: [Unicode.Scalar], size: Int) {
    guard !label.isEmpty else { throw .emptyLabel }
    guard label.allSatisfy(\.isASCII) else {
      try InternationalLabel.check(label)
      let size = prefix.count + Punycode.encode(label).count
      guard size <= HostnameFormat.longestLabel else { throw .longLabel }
      return (label, size)
    }
    try checkASCII(label)
    let lower = label.map { Unicode.Scalar(UInt8(ascii: $0).lowercased) }
    guard lower.starts(with: prefix) else { return (lower, lower.count) }
    let code = Array(lower.dropFirst(prefix.count))
    // An A-label must be exactly what the encoder produces (RFC 5891, section 5.4).
    guard let written = Punycode.decode(code), !written.allSatisfy(\.isASCII),
      Punycode.encode(written) == code
    else { throw .punycode }
    try InternationalLabel.check(written)
    return (written, lower.count)
  }

  private static let prefix: [Unicode.Scalar] = ["x", "n", "-", "-"]

  private static func checkASCII(_ label: [Unicode.Scalar]) throws(FormatFault) {
    let bad = label.first { !UInt8(ascii: $0).isASCIIAlphanumeric && $0 != "-" }
    if let bad { throw .disallowed(bad) }
    guard label.count <= HostnameFormat.longestLabel else { throw .longLabel }
    guard label.first != "-", label.last != "-" else { throw .hyphen }
  }
}
