/// Punycode (RFC 3492) with the parameters of its section 5. It encodes text of any script as ASCII
/// letters.
enum Punycode {
  private static let base = 36
  private static let firstScalar = 128
  private static let firstBias = 72
  /// The limit of the state. It exceeds every valid one in a label and is far from an overflow.
  private static let most = 0x11_0000 * 64

  /// Decodes a label. Returns `nil` if the characters aren't Punycode of a label's length.
  static func decode(_ text: [Unicode.Scalar]) -> [Unicode.Scalar]? {
    guard text.count <= HostnameFormat.longestLabel else { return nil }
    // A hyphen at the beginning is neither a separator nor a digit.
    let mark = text.lastIndex(of: "-").flatMap { $0 > 0 ? $0 : nil }
    var output = Array(text[..<(mark ?? 0)])
    var rest = text[(mark.map { $0 + 1 } ?? 0)...]
    var scalar = firstScalar
    var place = 0
    var bias = firstBias
    while !rest.isEmpty {
      guard let delta = readDelta(&rest, bias), place + delta < most else { return nil }
      let count = output.count + 1
      bias = adapted(delta, count, isFirst: place == 0)
      place += delta
      scalar += place / count
      place %= count
      guard let found = UInt32(exactly: scalar).flatMap(Unicode.Scalar.init) else { return nil }
      output.insert(found, at: place)
      place += 1
    }
    return output
  }

  /// Reads a number. Its digits begin with the lowest one, and the last one is below its threshold.
  private static func readDelta(_ rest: inout ArraySlice<Unicode.Scalar>, _ bias: Int) -> Int? {
    var delta = 0
    var weight = 1
    var position = base
    while let digit = rest.popFirst().flatMap(digit) {
      delta += digit * weight
      guard delta < most else { return nil }
      let threshold = threshold(position, bias)
      if digit < threshold { return delta }
      weight *= base - threshold
      position += base
    }
    return nil
  }

  /// Returns the ASCII form of a label, which must not have more scalars than a label may have.
  static func encode(_ label: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var output = label.filter(\.isASCII)
    var done = output.count
    if done > 0 { output.append("-") }
    var scalar = firstScalar
    var delta = 0
    var bias = firstBias
    let basic = done
    while done < label.count {
      let next = label.lazy.map { Int($0.value) }.filter { $0 >= scalar }.min() ?? scalar
      delta += (next - scalar) * (done + 1)
      scalar = next
      for other in label {
        if other.value < scalar { delta += 1 }
        guard other.value == scalar else { continue }
        appendDelta(delta, bias: bias, to: &output)
        bias = adapted(delta, done + 1, isFirst: done == basic)
        delta = 0
        done += 1
      }
      delta += 1
      scalar += 1
    }
    return output
  }

  private static func appendDelta(_ delta: Int, bias: Int, to output: inout [Unicode.Scalar]) {
    var (rest, position) = (delta, base)
    while true {
      let threshold = threshold(position, bias)
      guard rest >= threshold else { break }
      output.append(letter(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
    output.append(letter(rest))
  }

  private static func threshold(_ position: Int, _ bias: Int) -> Int {
    min(max(position - bias, 1), 26)
  }

  private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var shift = 0
    while delta > 455 {
      delta /= 35
      shift += base
    }
    return shift + base * delta / (delta + 38)
  }

  private static func digit(_ scalar: Unicode.Scalar) -> Int? {
    switch scalar {
    case "a"..."z": Int(scalar.value) - 97
    case "A"..."Z": Int(scalar.value) - 65
    case "0"..."9": Int(scalar.value) - 48 + 26
    default: nil
    }
  }

  private static func letter(_ digit: Int) -> Unicode.Scalar {
    Unicode.Scalar(UInt8(truncatingIfNeeded: digit < 26 ? digit + 97 : digit + 22))
  }
}
