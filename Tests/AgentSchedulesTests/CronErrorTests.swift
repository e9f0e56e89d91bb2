import AgentSchedules
import TestSupport
import Testing

@Suite("Invalid cron expressions")
struct CronErrorTests {
  @Test(arguments: [
    ("", CronError.Code.fields, CronField?.none, 1, "found nothing"),
    ("* * *", .fields, nil, 1, "found 3 fields"),
    ("* * * * * * *", .fields, nil, 13, "found 7 fields"),
    ("60 * * * *", .range, .minute, 1, "found 60. Allowed are 0 to 59"),
    ("0 24 * * *", .range, .hour, 3, "found 24. Allowed are 0 to 23"),
    ("0 1-24 * * *", .range, .hour, 5, "found 24"),
    ("0 0 0 * *", .range, .dayOfMonth, 5, "found 0. Allowed are 1 to 31"),
    ("0 0 * 13 *", .range, .month, 7, "found 13"),
    ("0 0 * * 8", .range, .dayOfWeek, 9, "0 and 7 are Sunday"),
    ("0 0 99999999999999999999999 * *", .range, .dayOfMonth, 5, "Allowed are"),
    ("0 0 * * MONDAY", .unknownName, .dayOfWeek, 9, "Did you mean MON?"),
    ("0 0 * JNA *", .unknownName, .month, 7, "Did you mean JAN?"),
    ("0 0 * * MON-FIR", .unknownName, .dayOfWeek, 13, "Did you mean FRI?"),
    ("0 x * * *", .syntax, .hour, 3, "found X"),
    ("1,,2 * * * *", .syntax, .minute, 3, "a comma without a value"),
    ("1- * * * *", .syntax, .minute, 3, "a value is missing"),
    ("1-2-3 * * * *", .syntax, .minute, 5, "more than two ends"),
    ("*/5/5 * * * *", .syntax, .minute, 5, "a second step"),
    ("*/ * * * *", .syntax, .minute, 3, "found nothing as a step"),
    ("*/0 * * * *", .range, .minute, 3, "found the step 0"),
    ("*/90 * * * *", .range, .minute, 3, "use an interval"),
    ("? * * * *", .syntax, .minute, 1, "found ?"),
    ("* * ?/2 * *", .syntax, .dayOfMonth, 5, "found ?"),
    ("0 L * * *", .syntax, .hour, 3, "found L"),
    ("0 0 L-0 * *", .syntax, .dayOfMonth, 7, "after L-"),
    ("0 0 L-31 * *", .syntax, .dayOfMonth, 7, "after L-"),
    ("0 0 32W * *", .syntax, .dayOfMonth, 5, "before W"),
    ("0 0 1-5W * *", .syntax, .dayOfMonth, 5, "before W"),
    ("0 0 * * MON#6", .syntax, .dayOfWeek, 13, "1 to 5 is allowed"),
    ("0 0 * * MON#", .syntax, .dayOfWeek, 13, "found nothing after #"),
    ("0 0 * * L", .syntax, .dayOfWeek, 9, "Write 5L"),
    ("0 0 * * 8L", .range, .dayOfWeek, 9, "found 8"),
    ("0 0 30 2 *", .neverFires, .dayOfMonth, 5, "never such a day"),
    ("0 0 0 31 2,4,6,9,11 *", .neverFires, .dayOfMonth, 7, "never such a day"),
    ("0 0 31W 4 ?", .neverFires, .dayOfMonth, 5, "never such a day"),
    ("@reboot", .unsupported, nil, 1, "isn't a time"),
    ("@dayly", .unknownName, nil, 1, "Did you mean @daily?"),
    ("@daily 5", .fields, nil, 8, "must be alone"),
    ("0 0 \u{e4} * *", .syntax, nil, 5, "found the character"),
    ("0 0\n* * *", .syntax, nil, 4, "found the character"),
    ("0 0 * * 1\u{1f468}\u{200d}\u{1f469}", .syntax, nil, 10, "found the character"),
  ])
  func `a mistake names the field, the column, what was found and what is allowed`(
    text: String, code: CronError.Code, field: CronField?, column: Int, part: String
  ) {
    let error = #expect(throws: CronError.self) { try CronExpression(text) }
    #expect(error?.code == code)
    #expect(error?.field == field)
    #expect(error?.column == column)
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test func `a mistake is written as a sentence`() {
    let error = #expect(throws: CronError.self) { try CronExpression("0 24 * * *") }
    #expect(
      error?.description
        == "cron: column 3, hour: found 24. Allowed are 0 to 23, *, ranges such as 9-17, lists, steps such as */2."
    )
  }

  @Test func `a long text is refused before it is read`() {
    let text = String(repeating: "1,", count: 100_000) + "1 * * * *"
    let error = #expect(throws: CronError.self) { try CronExpression(text) }
    #expect(error?.message.contains("longer than 512") == true)
  }

  @Test func `any text is read as an expression or refused with a mistake`() {
    var random = SeededGenerator(seed: 20_261_122)
    let pieces = Array("0123456789**,,--//LW#?@ abJANMON  \u{e4}").map(String.init)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...24, using: &random)
      let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
        .joined()
      do {
        let expression = try CronExpression(text)
        #expect(expression.next(after: 0, in: .utc) != nil, "\(text)")
      } catch {
        #expect(error.column >= 1 && error.column <= text.count + 1, "\(text)")
      }
    }
  }
}
