import AgentKitTesting
import Testing

@testable import {{Name}}

@Suite struct ModuleTests {
  @Test func `the module goes by the name that module.json gives it`() {
    #expect(module.name == "{{name}}")
  }
}
