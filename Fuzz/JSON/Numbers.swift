/// Numbers have one order, which their hashes, integers, doubles and multiples agree with.
@Sendable func fuzzNumbers(_ input: [UInt8]) {
  // Long division of thousands of digits by thousands is slow, and nothing else.
  let texts = input.prefix(400).split(separator: .space).prefix(3)
  let numbers = texts.compactMap { JSONNumber(parsing: String(decoding: $0, as: UTF8.self)) }
  for number in numbers { checkNumber(number, input) }
  for left in numbers {
    for right in numbers { comparePair(left, right, input: input) }
  }
  if numbers.count == 3, numbers[0] < numbers[1], numbers[1] < numbers[2] {
    check(numbers[0] < numbers[2], "the order isn't transitive", input: input)
  }
}

private func checkNumber(_ number: JSONNumber, _ input: [UInt8]) {
  check(number == number && !(number < number), "not equal to itself", input: input)
  check(number.isMultiple(of: number), "not a multiple of itself", input: input)
  check(number.isMultiple(of: 1) == number.isInteger, "multiples of 1 are integers", input: input)
  if let int = number.int {
    check(JSONNumber(int) == number && number.isInteger, "the integer is another", input: input)
  }
  if let uint = number.uint {
    check(JSONNumber(uint) == number && number.isInteger, "the integer is another", input: input)
  }
  let value = JSONValue.number(number)
  check((try? value.decode(JSONNumber.self)) == number, "decoded it is another", input: input)
  check((try? value.decode(Int8.self)) == number.integer(), "decoded it is another", input: input)
  check((try? value.decode(UInt64.self)) == number.integer(), "decoded it is another", input: input)
  let decoded = try? value.decode(Double.self)
  check(
    decoded == number.double || (decoded == nil && !number.double.isFinite),
    "decoded it is another", input: input)
}

private func comparePair(_ left: JSONNumber, _ right: JSONNumber, input: [UInt8]) {
  let relations = [left < right, left == right, right < left]
  check(relations.count(where: { $0 }) == 1, "\(left) and \(right) have two orders", input: input)
  if left == right {
    check(left.hashValue == right.hashValue, "equal, with different hashes", input: input)
    check(
      left.int == right.int && left.double == right.double, "equal, read differently", input: input)
  }
  if left < right {
    check(left.double <= right.double, "the doubles' order is another", input: input)
  }
  if left.isMultiple(of: right), right.isMultiple(of: left) {
    check(left.decimal.digits == right.decimal.digits, "multiples of one another", input: input)
  }
}
