import Glibc

/// What libFuzzer calls, over and over, with inputs that it makes. The variable `FUZZ_TARGET` says
/// which property is tried.
///
/// Compiled as one module with the sources of AgentJSON, so that what is internal can be compared.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

private let targets: [String: @Sendable ([UInt8]) -> Void] = [
  "parse": fuzzParsing, "edits": fuzzEdits, "pointers": fuzzPointers,
  "patches": fuzzMergePatches, "numbers": fuzzNumbers,
]

private let target: @Sendable ([UInt8]) -> Void = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? "parse"
  guard let target = targets[name] else { fail("there is no target \(name)", []) }
  return target
}()

/// Ends the run: libFuzzer keeps the input.
func fail(_ what: String, _ input: [UInt8]) -> Never {
  fatalError("\(what)\n\(String(decoding: input, as: UTF8.self).debugDescription)")
}

func check(_ holds: Bool, _ what: @autoclosure () -> String, input: [UInt8]) {
  if !holds { fail(what(), input) }
}

/// The parts of an input, which a byte that no UTF-8 has separates.
func parts(_ input: [UInt8]) -> [ArraySlice<UInt8>] {
  input.split(separator: 0xFF, omittingEmptySubsequences: false)
}

extension JSONDocument {
  /// Every node, in order, with its depth.
  var allNodes: [JSONNode] {
    var nodes: [JSONNode] = []
    func add(_ node: JSONNode) {
      nodes.append(node)
      for element in node.elements { add(element) }
      for member in node.members { add(member.value) }
    }
    add(root)
    return nodes
  }
}
