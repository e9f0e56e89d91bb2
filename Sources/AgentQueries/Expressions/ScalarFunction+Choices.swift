internal import AgentJSON

/// Functions that evaluate only the arguments that they need.
extension ScalarFunction {
  static let choices: [String: ScalarFunction] = [
    "if": choice(2...3) { parts in
      cases(of: Array(parts.prefix(2)), otherwise: parts.count == 3 ? parts[2] : nil)
    },
    "case": choice(2...64) { parts in
      let isPaired = parts.count.isMultiple(of: 2)
      return cases(
        of: isPaired ? parts : Array(parts.dropLast()), otherwise: isPaired ? nil : parts.last)
    },
    "decode": choice(3...64) { parts in
      let hasOther = parts.count.isMultiple(of: 2)
      let pairs = Array(parts.dropFirst().dropLast(hasOther ? 1 : 0)).map(\.value)
      let value = parts[0].value
      let other = hasOther ? parts[parts.count - 1].value : { @Sendable _ in .null }
      return CompiledPart(value: { row in
        let wanted = value(row)
        for index in stride(from: 0, to: pairs.count - 1, by: 2)
        where row.equal(pairs[index](row), wanted) == true { return pairs[index + 1](row) }
        return other(row)
      })
    },
    "coalesce": choice(1...64) { parts in
      let values = parts.map(\.value)
      return CompiledPart(value: { row in
        for value in values {
          let found = value(row)
          if case .null = found { continue }
          return found
        }
        return .null
      })
    },
  ]

  /// Returns the value of the first true condition.
  private static func cases(of pairs: [CompiledPart], otherwise: CompiledPart?) -> CompiledPart {
    let conditions = stride(from: 0, to: pairs.count, by: 2).map { pairs[$0].condition }
    let values = stride(from: 1, to: pairs.count, by: 2).map { pairs[$0].value }
    let other = otherwise?.value ?? { @Sendable _ in .null }
    return CompiledPart(value: { row in
      for index in conditions.indices where conditions[index](row) == true {
        return values[index](row)
      }
      return other(row)
    })
  }
}
