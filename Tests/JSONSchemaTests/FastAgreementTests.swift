import JSONSchemaFuzz
import Testing

@Suite struct FastAgreementTests {
  @Test func `a fast check agrees with the list of failures`() {
    var check = AgreementCheck()
    for seed in 0..<400 { check.run(seed: UInt64(seed)) }
    #expect(check.disagreements.isEmpty, "\(check.disagreements.first?.description ?? "")")
    // Documents that all fit, or none, would prove little.
    #expect(check.documents > 2000)
    #expect(check.matching * 5 > check.documents)
    #expect(check.matching * 5 < check.documents * 4)
  }
}
