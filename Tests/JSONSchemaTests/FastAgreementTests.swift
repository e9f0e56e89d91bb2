import JSONSchemaFuzz
import Testing

@Suite struct FastAgreementTests {
  @Test func `yes or no is what the list of failures says`() {
    var check = AgreementCheck()
    for seed in 0..<400 { check.run(seed: UInt64(seed)) }
    #expect(check.disagreements.isEmpty, "\(check.disagreements.first?.description ?? "")")
    // Documents that all fit, or none, would prove little.
    #expect(check.documents > 2000)
    #expect(check.fitting * 5 > check.documents)
    #expect(check.fitting * 5 < check.documents * 4)
  }
}
