import AgentSystem
import Testing

@Suite struct FairCapTests {
  @Test(
    arguments: [
      ([500, 100, 10], 550, 440), ([500, 480, 10], 930, 460), ([100, 100, 100], 240, 80),
      ([30, 30], 0, 0), ([20], -40, 0), ([5, 5], 10, nil), ([], 0, nil), ([0, -5], 0, nil),
      ([.max, .max], .max, .max / 2),
    ] as [([Int64], Int64, Int64?)])
  func `the largest sizes are cut to one size that fits`(
    sizes: [Int64], limit: Int64, cap: Int64?
  ) {
    #expect(FairCap.of(sizes, total: limit) == cap)
  }
}
