import AgentSystem
import Testing

@Suite(.timeLimit(.minutes(5))) struct FirstAnswerTests {
  @Test func `the first answer counts, whether it comes before or after the question`() async {
    let early = FirstAnswer<Int>()
    early.give(1)
    early.give(2)
    #expect(await early.value == 1)
    let late = FirstAnswer<Int>()
    let asked = Task { await late.value }
    for number in 1...100 {
      late.give(number)
      await Task.yield()
    }
    #expect(await asked.value == 1)
  }
}
