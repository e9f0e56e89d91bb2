internal import AgentJSON

/// Functions of texts. Positions and lengths count code points from 0.
extension ScalarFunction {
  static let texts: [String: ScalarFunction] = [
    "lower": ScalarFunction.text { .string($0.lowercased()) }.costing(2),
    "upper": ScalarFunction.text { .string($0.uppercased()) }.costing(2),
    "trim": .text { text in
      let isBlank: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
      let scalars = text.unicodeScalars
      let front = scalars.drop(while: isBlank)
      let end = front.lastIndex { !isBlank($0) }.map { front.index(after: $0) } ?? front.endIndex
      return .string(String(front[..<end]))
    },
    "startswith": .texts { .bool($0.utf8.starts(with: $1.utf8)) },
    "endswith": .texts { .bool($0.utf8.reversed().starts(with: $1.utf8.reversed())) },
    "indexof": .texts { text, part in
      guard let offset = TextSearch.offsets(of: part, in: text, atMost: 1).first else { return -1 }
      return .number(JSONNumber(text.unicodeScalars.count(toByte: offset, of: text)))
    },
    // Each character may become a text of its own.
    "split": ScalarFunction.texts { text, separator in
      guard !separator.isEmpty else { return .array(text.map { .string(String($0)) }) }
      return .array(TextSearch.pieces(of: text, between: separator).map { .string($0) })
    }.costing(8),
    // The result has up to 1 MiB, whatever the arguments have.
    "replace": ScalarFunction(3...3) { arguments in
      guard let text = arguments[0].string, let part = arguments[1].string,
        let other = arguments[2].string
      else { return .null }
      guard !part.isEmpty else { return .string(text) }
      let pieces = TextSearch.pieces(of: text, between: part)
      // The replacement may be long, so the size of the result is limited.
      let size = text.utf8.count + (pieces.count - 1) * other.utf8.count
      guard size <= TextSearch.longest else { return .null }
      return .string(pieces.joined(separator: other))
    }.costing(8).bounded(),
    "substring": ScalarFunction(2...3) { arguments in
      guard let text = arguments[0].string, let start = arguments[1].int,
        let end = arguments.count == 3 ? arguments[2].int : .max
      else { return .null }
      let scalars = text.unicodeScalars
      let (first, last) = (max(0, start), max(0, end))
      return .string(String(scalars.dropFirst(first).prefix(max(0, last - first))))
    },
    "concat": ScalarFunction(1...64) { arguments in
      var text = ""
      for argument in arguments {
        guard let part = argument.asText else { return .null }
        text += part
      }
      return text.utf8.count <= TextSearch.longest ? .string(text) : .null
    },
  ]

  private static func text(_ body: @escaping @Sendable (String) -> JSONValue) -> ScalarFunction {
    .one { value in
      if case .string(let text) = value { body(text) } else { .null }
    }
  }

  private static func texts(
    _ body: @escaping @Sendable (String, String) -> JSONValue
  ) -> ScalarFunction {
    .two { left, right in
      guard case .string(let left) = left, case .string(let right) = right else { return .null }
      return body(left, right)
    }
  }
}

extension String.UnicodeScalarView {
  /// Returns the number of code points before a byte.
  func count(toByte offset: Int, of text: String) -> Int {
    let index = text.utf8.index(text.utf8.startIndex, offsetBy: offset)
    return distance(from: startIndex, to: index)
  }
}
