import AgentQueries
import Testing

struct QuerySpanTests {
  /// 2026-01-31T12:30:45.678Z, a Saturday.
  private let now: Int64 = 1_769_862_645_678

  private func moments(_ text: String, _ calendar: QueryCalendar = .utc) throws -> [Int64?] {
    let moments = try QuerySpan(parsing: text).moments(at: now, calendar)
    return [moments.begin, moments.end]
  }

  @Test func `spans count from the start of the query`() throws {
    #expect(try moments("last 60 seconds") == [now - 60_000, nil])
    #expect(try moments("last minute") == [now - 60_000, nil])
    #expect(try moments("2 hours") == [now - 7_200_000, nil])
    #expect(try moments("since 2 hours ago") == [now - 7_200_000, nil])
    #expect(try moments("from 2 hours ago to 1 hour ago") == [now - 7_200_000, now - 3_600_000])
    #expect(try moments("none") == [now, nil])
    #expect(try moments("last month") == [1_767_184_245_678, nil])
  }

  @Test func `a span's past ends when the query starts, or before`() throws {
    func end(_ span: QuerySpan) -> Int64? { span.past.moments(at: now).end }
    #expect(end(try QuerySpan(parsing: "today")) == now)
    #expect(end(try QuerySpan(parsing: "since 2027-01-01")) == 1_798_761_600_000)
    #expect(end(try QuerySpan(parsing: "from 2 hours ago to 1 hour ago")) == now - 3_600_000)
    #expect(QuerySpan.all.past.moments(at: now).begin == 0)
    #expect(end(.all) == now)
  }

  @Test func `spans of whole units are aligned to the calendar`() throws {
    let midnight: Int64 = 1_769_817_600_000
    #expect(try moments("today") == [midnight, nil])
    #expect(try moments("yesterday") == [midnight - 86_400_000, midnight])
    #expect(try moments("this week") == [midnight - 5 * 86_400_000, nil])
    #expect(try moments("current month") == [midnight - 30 * 86_400_000, nil])
    #expect(
      try moments("previous month")
        == [midnight - 61 * 86_400_000, midnight - 30 * 86_400_000])
    #expect(try moments("this year") == [midnight - 30 * 86_400_000, nil])
    let east = QueryCalendar { _ in 12 * 3_600_000 }
    #expect(try moments("today", east) == [midnight + 12 * 3_600_000, nil])
  }

  @Test func `moments are written as numbers or dates`() throws {
    #expect(try moments("since ts 0 #partial='1'") == [0, nil])
    #expect(try QuerySpan(parsing: "since ts 0 #partial='1'").hints == ["#partial='1'"])
    #expect(try moments("since 2026-01-31") == [1_769_817_600_000, nil])
    #expect(try moments("2026-01-31 12:30 to now") == [1_769_862_600_000, now])
    #expect(try moments("since 2026-01-31T12:30:45.678Z") == [now, nil])
    #expect(try moments("since 2026-01-31T14:30:45.678+02:00") == [now, nil])
    #expect(try moments("from 2026-02-01 until 2026-01-01")[1] == 1_769_904_000_000)
    let west = QueryCalendar { _ in -3 * 3_600_000 }
    #expect(try moments("since 2026-01-31 09:30:45.678", west) == [now, nil])
  }

  @Test func `a text that isn't a span is refused with the place and the alternatives`() throws {
    let cases = [
      ("", 0), ("last", 4), ("last 0 seconds", 7), ("last five minutes", 5), ("todai", 0),
      ("since 2026-02-30", 6), ("from today", 10), ("today tomorrow", 6), ("since ts x", 9),
      ("last minute now", 12), ("since 2026-01-31 25:00", 17), ("last 99999999999 years", 17),
    ]
    for (text, offset) in cases {
      do {
        _ = try QuerySpan(parsing: text)
        Issue.record("no error: \(text)")
      } catch {
        #expect(error.offset == offset, "\(text): \(error)")
      }
    }
  }

  @Test func `days stay days where the clock is set back or forward`() throws {
    // As in Berlin 2026: +1 h, from 29 March 01:00Z on +2 h, from 25 October 01:00Z on +1 h.
    let berlin = QueryCalendar { moment in
      (1_774_746_000_000..<1_792_890_000_000).contains(moment) ? 7_200_000 : 3_600_000
    }
    let day: Int64 = 86_400_000
    let spring = try QuerySpan(parsing: "yesterday").moments(at: 1_774_828_800_000, berlin)
    #expect(spring.begin == 1_774_738_800_000)
    #expect((spring.end ?? 0) - spring.begin == day - 3_600_000)
    let autumn = try QuerySpan(parsing: "yesterday").moments(at: 1_792_972_800_000, berlin)
    #expect((autumn.end ?? 0) - autumn.begin == day + 3_600_000)
  }
}
