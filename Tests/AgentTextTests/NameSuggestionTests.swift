import AgentText
import Testing

@Suite struct NameSuggestionTests {
  @Test func `a refusal ends with the question, or with other advice`() {
    #expect(NameSuggestion.question("count") == " Did you mean \"count\"?")
    #expect(
      NameSuggestion.question("count", quote: "", otherwise: " No.") == " Did you mean count?")
    #expect(NameSuggestion.question(nil, otherwise: " Ask.") == " Ask.")
    #expect(NameSuggestion.question(nil) == "")
  }

  @Test(arguments: [
    ("warn", ["info", "warning"], "warning"), ("mem", ["cpu", "memory"], "memory"),
    ("hostname", ["host", "port"], "host"), ("timeout_s", ["timeout_ms", "tries"], "timeout_ms"),
    ("seed", ["need", "feed_the_cat"], "need"),
  ]) func `a name suggestion follows from a typo or from its words`(
    name: String, names: [String], likely: String
  ) {
    #expect(NameSuggestion.of(name, among: names) == likely)
  }

  @Test(arguments: [
    ("timeout", ["ping_timeout", "stop_timeout"]), ("log", ["log_file", "log_level"]),
    ("in", ["index", "inner"]), ("", ["a"]), ("zebra", ["horse"]),
  ]) func `an ambiguous or unknown name gets no suggestion`(name: String, names: [String]) {
    #expect(NameSuggestion.of(name, among: names) == nil)
  }

  @Test(arguments: [
    ("log-file", "log_file"), ("LOG_FILE", "log_file"), ("lgo", "log"), ("ab", nil), ("", nil),
    ("lg", "log"),
  ]) func `upper case, hyphens and underscores don't count`(name: String, meant: String?) {
    #expect(NameSuggestion.of(name, among: ["log_file", "log", "ax"]) == meant)
  }
}
