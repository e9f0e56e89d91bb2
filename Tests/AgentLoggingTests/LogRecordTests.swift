import AgentJSON
import AgentLogging
import Testing

@Suite struct LogRecordTests {
  @Test(arguments: [false, true])
  func `a record is one line, whatever it contains`(colors: Bool) {
    let evil = "a\u{1B}[2J\r\n02:00:00.000 notice   agent: FORGED\u{9B}8m\u{202E}\u{2028}"
    let record = LogRecord(
      timestamp: 0, level: .warning, source: "x", message: evil,
      fields: ["k\n": .string(evil), "o": ["p": .string(evil)]])
    let line = record.text(colors: colors)
    #expect(line.split(whereSeparator: \.isNewline).count == 1)
    let plain = line.replacing("\u{1B}[33m", with: "").replacing("\u{1B}[0m", with: "")
    #expect(!plain.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(line.contains("a\\u{1b}[2J\\r\\n02:00:00.000"))
  }
}
