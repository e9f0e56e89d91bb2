import BenchSupport

/// Measures AgentJSON and JSONSchema beside their peers and prints what each does in a second of
/// CPU time: `json-bench DOCUMENTS METASCHEMA [PYTHON PEERS]`. Ratios are of medians of runs that
/// alternate, so that what else the machine does troubles all alike.
@main
struct JSONBench {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 || arguments.count == 5 else {
      exitWithUsage("json-bench DOCUMENTS METASCHEMA [PYTHON PEERS]")
    }
    let documents = Documents(folder: arguments[1], metaschema: arguments[2])
    let peers = try arguments.count == 5 ? Peers(python: arguments[3], script: arguments[4]) : nil
    let validation = try ValidationBenchmark(documents: documents, peers: peers).rows()
    print(RateTable(columns: Peers.validators, rows: validation).text)
    print()
    let parsing = try ParsingBenchmark(documents: documents).rows()
    print(RateTable(columns: ParsingBenchmark.peers, rows: parsing).text)
    print()
    print(try CompilationBenchmark(documents: documents).text())
    if RunLength.isShort { return }
    let all = validation + parsing
    print("\n\(all.count { $0.met == true }) of \(all.count { $0.met != nil }) ratios met")
  }
}
