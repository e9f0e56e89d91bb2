import AgentSystem
import Testing

@Suite struct SaturationTests {
  static let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

  @Test(arguments: extremes, extremes)
  func `a sum, a difference and a product saturate`(
    _ left: Int64, _ right: Int64
  ) {
    func nearest(_ exact: Int128) -> Int64 { Int64(clamping: exact) }
    #expect(left.adding(right) == nearest(Int128(left) + Int128(right)))
    #expect(left.subtracting(right) == nearest(Int128(left) - Int128(right)))
    let product = Int128(left).multipliedReportingOverflow(by: Int128(right)).partialValue
    #expect(left.multiplied(right) == nearest(product))
  }

  @Test func `a number with a fraction is rounded to the nearest integer`() {
    let cases: [(Double, Int64)] = [
      (0x1p63, .max), (-0x1p63, .min), (1e308, .max), (-1e308, .min), (.infinity, .max),
      (-.infinity, .min), (.nan, 0), (1.9, 1), (-1.9, -1),
    ]
    for (number, expected) in cases { #expect(Int64(clamping: number) == expected, "\(number)") }
  }

  @Test func `a moment beyond all time becomes the last one`() {
    let late = Timestamp(milliseconds: .max)
    #expect(late + .seconds(1) == late)
    #expect(Timestamp(milliseconds: .min) - .seconds(1) == Timestamp(milliseconds: .min))
    #expect(late + .seconds(Int64.max) == late)
    #expect(late - Timestamp(milliseconds: .min) == .milliseconds(Int64.max))
    #expect(Timestamp(milliseconds: 5) - .milliseconds(7) == Timestamp(milliseconds: -2))
  }
}
