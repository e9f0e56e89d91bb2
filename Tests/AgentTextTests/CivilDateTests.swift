import AgentText
import Testing

@Suite struct CivilDateTests {
  @Test(arguments: [
    (0, CivilDate(year: 1970, month: 1, day: 1)), (-1, CivilDate(year: 1969, month: 12, day: 31)),
    (11_016, CivilDate(year: 2000, month: 2, day: 29)),
    (-719_528, CivilDate(year: 0, month: 1, day: 1)),
    (2_932_896, CivilDate(year: 9999, month: 12, day: 31)),
  ])
  func `a day has its number`(number: Int, date: CivilDate) {
    #expect(CivilDate(dayNumber: number) == date)
    #expect(date.dayNumber == number)
  }

  @Test func `each day of 800 years follows the one before`() {
    var date = CivilDate(year: 1600, month: 1, day: 1)
    var number = date.dayNumber
    while date.year < 2400 {
      let isLast = date.day == date.monthLength
      let next =
        isLast
        ? CivilDate(
          year: date.year + date.month / 12, month: date.month.modulo(12) + 1, day: 1)
        : CivilDate(year: date.year, month: date.month, day: date.day + 1)
      number += 1
      guard next.dayNumber == number, CivilDate(dayNumber: number) == next else {
        Issue.record("\(date) is followed by \(CivilDate(dayNumber: number))")
        return
      }
      date = next
    }
  }

  @Test func `a week begins again after seven days, before 1970 too`() {
    #expect(CivilDate.weekday(ofDayNumber: 0) == 4)
    #expect(CivilDate.weekday(ofDayNumber: -5) == 6)
    #expect(CivilDate.weekday(ofDayNumber: 20_000) == CivilDate.weekday(ofDayNumber: -6))
  }
}
