import AgentJSON
import JSONSchema

/// A document about which the ways of checking don't agree.
package struct Disagreement: CustomStringConvertible {
  package let schema: String
  package let document: String
  /// Whether it fits: by the fast path, by the explaining one with nothing to explain, and by the
  /// list of failures.
  package let verdicts: [Bool]

  package var description: String { "\(verdicts): \(document) by \(schema)" }
}

/// Checks documents and schemas that a seed makes in every way there is.
package struct AgreementCheck {
  /// How many documents a schema is used for.
  package static let documentsForSchema = 8

  package private(set) var documents = 0
  package private(set) var matching = 0
  package private(set) var schemas = 0
  package private(set) var disagreements: [Disagreement] = []

  package init() {}

  /// One schema with its documents.
  package mutating func run(seed: UInt64) {
    var generator = SchemaGenerator(seed: seed)
    let text = generator.document()
    let options = SchemaOptions(formats: .assertion)
    // A schema that always leads back to itself is refused, and none of our concern.
    guard let schema = try? Schema(text, options: options) else { return }
    schemas += 1
    for index in 0..<Self.documentsForSchema {
      let seed = seed &* 31 &+ UInt64(index)
      var writer = DocumentGenerator(seed: seed, for: text)
      check(writer.text(), schema: schema, source: text)
    }
  }

  private mutating func check(_ document: String, schema: Schema, source: JSONValue) {
    guard let node = try? JSONDocument(parsing: document).root else {
      disagreements.append(Disagreement(schema: "no JSON", document: document, verdicts: []))
      return
    }
    documents += 1
    let verdicts = [
      schema.isValid(node),
      // With something that might be ignored the fast path isn't taken.
      schema.isValid(node, ignoring: { _ in false }),
      !schema.validate(node, ignoring: { _ in false }).contains { $0.severity == .error },
    ]
    if verdicts[0] { matching += 1 }
    if Set(verdicts).count > 1 {
      disagreements.append(
        Disagreement(schema: source.text(), document: document, verdicts: verdicts))
    }
  }
}
