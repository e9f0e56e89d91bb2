import Glibc

/// Compares the fast path with the list of failures on documents made at random: `schema-fuzz
/// DOCUMENTS [SEED]`. What it prints suffices to write the test.
@main
struct SchemaFuzz {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count > 1, let wanted = Int(arguments[1]) else {
      print("usage: schema-fuzz DOCUMENTS [SEED]")
      exit(2)
    }
    var seed = arguments.count > 2 ? UInt64(arguments[2]) ?? 0 : 0
    var check = AgreementCheck()
    let first = seed
    while check.documents < wanted, check.disagreements.isEmpty {
      check.run(seed: seed)
      seed += 1
    }
    for found in check.disagreements { print("seed \(seed - 1): \(found)") }
    print(
      "schema-fuzz: seeds \(first) to \(seed - 1), \(check.schemas) schemas, "
        + "\(check.documents) documents of which \(check.fitting) fit, "
        + "\(check.disagreements.count) disagreements")
    exit(check.disagreements.isEmpty ? 0 : 1)
  }
}
