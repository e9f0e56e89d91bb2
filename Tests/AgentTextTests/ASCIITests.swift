import AgentText
import Testing

@Suite struct ASCIITests {
  @Test(arguments: UInt8.min...UInt8.max)
  func `a byte is what its character is`(_ byte: UInt8) {
    let character = byte < 0x80 ? Character(Unicode.Scalar(byte)) : "\u{0}"
    #expect(byte.isASCIIDigit == character.isWholeNumber)
    #expect(byte.isASCIILetter == character.isLetter)
    #expect(byte.isASCIIAlphanumeric == (character.isLetter || character.isWholeNumber))
    #expect(byte.isHexDigit == character.isHexDigit)
    #expect(byte.hexDigit.map { Int($0) } == character.hexDigitValue)
    let isUnreserved = character.isLetter || character.isWholeNumber || "-._~".contains(character)
    #expect(byte.isUnreserved == isUnreserved)
    let lower = byte < 0x80 ? character.lowercased().utf8.first : byte
    #expect(byte.lowercased == lower)
  }
}
