import AgentJSON
import Testing

@testable import AgentNotifications

/// What the console notifier prints on the terminal of the host.
@Suite struct ConsoleNotifierTests {
  @Test func `a notice is one line, and no character of it is hidden or obeyed`() {
    let evil = "a\u{1B}[2J\u{9B}8m\u{202E}\u{2066}\u{2028}\u{200B}\r\nFORGED\u{E0041}z"
    let notice = Notice(["severity": "warning", "title": .string(evil), "text": .string(evil)])
    let line = String(decoding: ConsoleNotifier.line(notice), as: UTF8.self)
    #expect(line.hasPrefix("[warning] a\\u{1b}[2J"))
    #expect(line.contains("\\u{202e}\\u{2066}\\u{2028}\\u{200b}\\r\\nFORGED\\u{e0041}z: a"))
    #expect(line.unicodeScalars.dropLast().allSatisfy { (0x20..<0x7F).contains($0.value) })
    #expect(line.hasSuffix("z\n"))
  }
}
