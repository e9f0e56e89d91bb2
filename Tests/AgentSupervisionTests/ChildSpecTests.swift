import AgentSupervision
import Testing

@Suite struct ChildSpecTests {
  @Test func `a changed copy leaves the other unchanged`() {
    let one = ChildSpec.shell("a")
    var other = one
    other.limits.files = 64
    other.command.workingDirectory = "/"
    #expect(one.limits.files == nil)
    #expect(one.command.workingDirectory == nil)
    #expect(other.limits.files == 64)
    #expect(other.command.workingDirectory == "/")
    #expect(one != other)
  }

  @Test func `specifications made separately are equal when all parts are`() {
    #expect(ChildSpec.shell("a") == ChildSpec.shell("a"))
    #expect(ChildSpec.shell("a") != ChildSpec.shell("b"))
    #expect(ChildSpec.shell("a") != ChildSpec.shell("a", environment: ["A=1"]))
  }

  @Test(arguments: [[], ["A=1"]])
  func `a specification keeps its value when it shares with another`(environment: [String]) {
    let one = ChildSpec.shell("a")
    let other = ChildSpec.shell("b", environment: environment)
    #expect(other.sharing(with: one) == other)
    #expect(other.sharing(with: nil) == other)
    #expect(one == ChildSpec.shell("a"))
  }
}
