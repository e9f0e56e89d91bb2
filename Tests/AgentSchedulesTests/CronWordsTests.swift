import AgentSchedules
import Testing

@Suite("Cron expressions in words")
struct CronWordsTests {
  @Test(arguments: [
    ("0 2 * * MON", "At 02:00 on Monday"), ("@daily", "At 00:00 every day"),
    ("* * * * *", "Every minute"), ("*/15 * * * *", "Every 15 minutes"), ("@hourly", "Every hour"),
    ("* * * * * *", "Every second"), ("*/10 * * * * *", "Every 10 seconds"),
    ("5 * * * *", "At minute 5 of every hour"),
    ("0 9,17 * * MON-FRI", "At 09:00 and 17:00 on Monday to Friday"),
    ("*/5 9-17 * * *", "Every 5 minutes in hours 9 to 17"),
    ("0 */2 * * *", "At minute 0 past every second hour"),
    ("30 6 1,15 * *", "At 06:30 on days 1 and 15 of the month"),
    ("0 0 L * *", "At 00:00 on the last day of the month"),
    ("0 0 L-3 * *", "At 00:00 on the third day before the last day of the month"),
    ("0 0 15W * *", "At 00:00 on the working day nearest to day 15"),
    ("0 0 LW * *", "At 00:00 on the last working day of the month"),
    ("0 0 * * 5L", "At 00:00 on the last Friday of the month"),
    ("0 0 * * MON#2", "At 00:00 on the second Monday of the month"),
    ("0 0 13 * FRI", "At 00:00 on day 13 of the month or on Friday"),
    ("0 0 */10 * FRI", "At 00:00 on every 10th day from day 1 of the month and only on Friday"),
    ("0 0 1 1,7 *", "At 00:00 on day 1 of the month in January and July"),
    ("30 0 12 * JUN-AUG SAT,SUN", "At 12:00:30 on Saturday and Sunday in June to August"),
    ("1-10,30 * * * *", "At minutes 1 to 10 and 30 of every hour"),
    ("30 * * * * *", "At second 30 of every minute"),
    ("*/20 */5 * * * *", "Every 20 seconds, every 5 minutes"),
  ])
  func `expressions are described in words`(text: String, words: String) throws {
    #expect("\(try CronExpression(text))" == words)
  }
}
