import AgentText
import Testing

@Suite struct HexadecimalTests {
  @Test func `a number has sixteen digits`() {
    #expect(Hexadecimal.text(0) == "0000000000000000")
    #expect(Hexadecimal.text(0x0123_4567_89ab_cdef) == "0123456789abcdef")
    #expect(Hexadecimal.text(UInt64.max) == "ffffffffffffffff")
    #expect(Hexadecimal.value(Array("0123456789abcdef".utf8)[...]) == 0x0123_4567_89ab_cdef)
    #expect(Hexadecimal.value(Array("0g".utf8)[...]) == nil)
  }

  @Test func `a byte has two digits`() {
    #expect(Hexadecimal.text(of: [0, 0x0a, 0xff]) == "000aff")
    #expect(Hexadecimal.bytes("000aff") == [0, 0x0a, 0xff])
    #expect(Hexadecimal.bytes("") == [])
  }

  @Test(arguments: ["0", "0g", "g0", "AB", "+1", "é"])
  func `anything but pairs of digits in lower case is refused`(_ text: String) {
    #expect(Hexadecimal.bytes(text) == nil)
  }
}
