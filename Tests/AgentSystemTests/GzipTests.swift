import AgentSystem
import Testing

@Suite struct GzipTests {
  @Test(arguments: [0, 1, 1000, 300_000])
  func `packed bytes are unpacked unchanged`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 7)) }
    let packed = Gzip.packed(bytes)
    #expect(packed.starts(with: [0x1f, 0x8b]))
    #expect(try Gzip.unpacked(packed, limit: count) == bytes)
    #expect(Gzip.packed(bytes) == packed)
  }

  @Test func `data that unpacks to too much is refused before it is unpacked`() {
    let packed = Gzip.packed([UInt8](repeating: 0, count: 10_000_000))
    #expect(packed.count < 20_000)
    #expect(throws: Gzip.Failure.self) { try Gzip.unpacked(packed, limit: 1_000_000) }
  }

  @Test func `data that isn't gzip or is cut short is refused`() {
    let packed = Gzip.packed(Array("some text".utf8))
    for bytes in [[], [1, 2, 3], Array(packed.dropLast(1)), Array(packed.prefix(5))] {
      #expect(throws: Gzip.Failure.self) { try Gzip.unpacked(bytes, limit: 1000) }
    }
  }
}
