extension [FastInstruction] {
  /// Cheap steps first, otherwise in the same order. Bodies are short.
  mutating func sortByCost() {
    for index in indices.dropFirst() {
      var place = index
      while place > 0, self[place].operation.cost < self[place - 1].operation.cost {
        swapAt(place, place - 1)
        place -= 1
      }
    }
  }
}

extension FastInstruction.Operation {
  /// A rough order of what takes longer; what asks what others looked at comes last.
  fileprivate var cost: Int {
    switch self {
    case .accept, .reject, .isString, .isAnyString, .count: 0
    case .length, .integral, .integerRange, .integerMultiple: 1
    case .decimalBound, .decimalMultiple, .exactNumber, .equalsAny, .isAnyValue: 2
    case .keysPresent, .keyNeedsKey: 2
    case .members, .elements: 3
    case .format, .pattern, .content: 4
    case .anyMembers, .call, .jump, .choice, .keyNeedsBody, .keysNeedBodies, .contains: 5
    case .anyOf, .oneOf, .noneOf, .either, .unique, .fresh: 6
    case .coverElements, .coverContained, .coverAnyOf, .coverOneOf, .coverEither: 7
    case .uncoveredElements, .uncoveredMembers: 8
    }
  }
}
