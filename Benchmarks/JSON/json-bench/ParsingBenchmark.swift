import AgentJSON
import Foundation

/// Parsing alone, beside Foundation's two ways.
struct ParsingBenchmark {
  static let peers = ["JSONDecoder", "JSONSerialization"]

  let documents: Documents

  func rows() throws -> [RateTable.Row] {
    let small = try documents.named("settings").bytes()
    let large = try documents.named("records").bytes()
    return [
      try row("settings, document", bytes: small, type: Settings.self, target: 15, against: 0) {
        _ = try JSONDocument(parsing: small)
      },
      try row("settings, decoded", bytes: small, type: Settings.self, target: nil, against: 0) {
        _ = try JSONDocument(parsing: small).root.decode(Settings.self)
      },
      try row("records, document", bytes: large, type: [Record].self, target: 8, against: 1) {
        _ = try JSONDocument(parsing: large)
      },
      try row("records, decoded", bytes: large, type: [Record].self, target: nil, against: 0) {
        _ = try JSONDocument(parsing: large).root.decode([Record].self)
      },
    ]
  }

  private func row<Value: Decodable>(
    _ name: String, bytes: [UInt8], type: Value.Type, target: Double?, against peer: Int,
    parse: @escaping () throws -> Void
  ) throws -> RateTable.Row {
    let data = Data(bytes)
    let decoder = JSONDecoder()
    let contenders: [(Int) throws -> Double?] = [
      { try Rate.seconds($0, parse) },
      { try Rate.seconds($0) { _ = try decoder.decode(type, from: data) } },
      { try Rate.seconds($0) { _ = try JSONSerialization.jsonObject(with: data) } },
    ]
    return RateTable.Row(
      name: name, outcomes: try Rate.outcomes(contenders), target: target, against: peer)
  }
}

/// `settings.json`.
struct Settings: Decodable {
  struct Limits: Decodable {
    let memory: Int
    let timeout: Double
    let retries: Int
  }

  struct Output: Decodable {
    let path: String
    let rotate: Bool
  }

  let name: String
  let host: String
  let port: Int
  let level: String
  let verbose: Bool
  let tags: [String]
  let limits: Limits
  let output: Output
  let environment: [String: String]
}

/// An element of `records.json`.
struct Record: Decodable {
  struct Account: Decodable {
    let owner: String
    let margin: Bool
  }

  let id: Int
  let time: String
  let symbol: String
  let side: String
  let price: Double
  let quantity: Int
  let venue: String?
  let flags: [String]
  let account: Account
}
