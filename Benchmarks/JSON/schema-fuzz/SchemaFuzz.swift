import BenchSupport
import Glibc
import JSONSchemaFuzz

/// Compares the fast path with the list of failures on documents made at random: `schema-fuzz
/// DOCUMENTS [SEED]`. What it prints suffices to write the test. A check that takes ten seconds is
/// a hang.
@main
struct SchemaFuzz {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count > 1, let wanted = Int(arguments[1]) else {
      exitWithUsage("schema-fuzz DOCUMENTS [SEED]")
    }
    var seed = arguments.count > 2 ? UInt64(arguments[2]) ?? 0 : 0
    var check = AgreementCheck()
    let first = seed
    var slowest = (seconds: 0.0, seed: seed)
    while check.documents < wanted, check.disagreements.isEmpty {
      let seconds = BenchClock.process.time { check.run(seed: seed) } / 1e9
      if seconds > slowest.seconds { slowest = (seconds, seed) }
      seed += 1
    }
    for found in check.disagreements { print("seed \(seed - 1): \(found)") }
    print(
      "schema-fuzz: seeds \(first) to \(seed - 1), \(check.schemas) schemas, "
        + "\(check.documents) documents of which \(check.matching) fit, "
        + "\(check.disagreements.count) disagreements; the slowest schema with its documents took "
        + "\(Int(slowest.seconds * 1e6)) µs (seed \(slowest.seed))")
    exit(check.disagreements.isEmpty && slowest.seconds < 10 ? 0 : 1)
  }
}
