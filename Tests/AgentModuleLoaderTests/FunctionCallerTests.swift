import AgentJSON
import AgentModuleLoader
import Testing

@Suite struct FunctionCallerTests {
  private static let declarations = #"""
    {"pow": {"library": "libm.so.6", "returns": "double", "parameters":
       [{"name": "x", "type": "double"}, {"name": "y", "type": "double"}]},
     "add8": {"library": "libfunctions.so", "returns": "int8", "parameters":
       [{"name": "a", "type": "int8"}, {"name": "b", "type": "int8"}]},
     "minus": {"library": "libfunctions.so", "symbol": "negate", "returns": "int32",
       "parameters": [{"name": "value", "type": "int32"}]},
     "largest": {"library": "libfunctions.so", "returns": "uint64"},
     "scale": {"library": "libfunctions.so", "returns": "double", "parameters":
       [{"name": "value", "type": "double"}, {"name": "factor", "type": "float"}]},
     "is_even": {"library": "libfunctions.so", "returns": "bool", "parameters":
       [{"name": "flag", "type": "bool"}, {"name": "n", "type": "int16"}]},
     "greeting": {"library": "libfunctions.so", "returns": "string", "ownership": "static"},
     "nothing": {"library": "libfunctions.so", "returns": "string"},
     "shout": {"library": "libfunctions.so", "returns": "string", "ownership": "free",
       "parameters": [{"name": "text", "type": "string"}]},
     "lend": {"library": "libfunctions.so", "returns": "string",
       "ownership": {"call": "give_back"}},
     "released_count": {"library": "libfunctions.so", "returns": "int32"},
     "fill": {"library": "libfunctions.so", "returns": "void", "parameters":
       [{"name": "buffer", "type": "bytes_out", "size": "size"}, {"name": "size", "type": "uint32"},
        {"name": "pattern", "type": "bytes"}]}}
    """#

  private func caller(_ declarations: String = declarations) throws -> FunctionCaller {
    _ = try FixtureBuilder.library("functions.c", "functions")
    return try FunctionCaller(
      declarations: Array(declarations.utf8), directory: FixtureBuilder.folder)
  }

  @Test(arguments: [
    ("pow", #"{"x": 2, "y": 10}"#, #"{"result":1024.0}"#),
    ("add8", #"{"a": 100, "b": -28}"#, #"{"result":72}"#),
    ("minus", #"{"value": 2147483647}"#, #"{"result":-2147483647}"#),
    ("largest", "{}", #"{"result":18446744073709551615}"#),
    ("scale", #"{"value": 3, "factor": 0.5}"#, #"{"result":1.5}"#),
    ("is_even", #"{"flag": true, "n": -4}"#, #"{"result":true}"#),
    ("greeting", "", #"{"result":"hello"}"#), ("nothing", "{}", #"{"result":null}"#),
    ("shout", #"{"text": "naïve"}"#, #"{"result":"NAïVE"}"#),
    ("fill", #"{"size": 5, "pattern": "AQI="}"#, #"{"buffer":"AQIBAgE="}"#),
  ])
  func `a function's JSON input and output are passed`(name: String, input: String, output: String)
    throws
  {
    let result = try caller().call(name, input: Array(input.utf8))
    #expect(String(decoding: result, as: UTF8.self) == output)
  }

  @Test func `a lent string is returned to the library`() throws {
    let caller = try caller()
    let before = try caller.call("released_count", input: [])
    #expect(try caller.call("lend", input: []) == Array(#"{"result":"lent"}"#.utf8))
    #expect(try caller.call("released_count", input: []) != before)
  }

  @Test(arguments: [
    ("add8", #"{"a": 128, "b": 0}"#, "from -128 to 127, found 128"),
    ("add8", #"{"a": 1.5, "b": 0}"#, "found 1.5"), ("add8", #"{"a": 1}"#, #"needs "b""#),
    ("is_even", #"{"flag": 1, "n": 0}"#, "true or false"),
    ("shout", #"{"text": "a\u0000b"}"#, "zero bytes"), ("fill", #"{"size": -1}"#, "size from 0"),
    ("fill", #"{"size": 4294967295, "pattern": ""}"#, "size from 0"),
    ("fill", #"{"size": 1, "pattern": "?"}"#, "base64"), ("pow", "[]", "must be an object"),
    ("pow", "{", "isn't JSON"), ("other", "{}", "no function"),
  ])
  func `an invalid input is refused with the expected form`(
    name: String, input: String, message: String
  ) throws {
    let caller = try caller()
    let failure = try #require(throws: ModuleFailure.self) {
      try caller.call(name, input: Array(input.utf8))
    }
    #expect(failure.message.contains(message), "\(failure.message)")
  }

  @Test(arguments: [
    (#"{"f": {"returns": "void"}}"#, "names no library"),
    (#"{"f": {"library": "libm.so.6", "returns": "struct x"}}"#, "can't be passed"),
    (#"{"f": {"library": "libnothing.so.9", "returns": "void"}}"#, "can't be loaded"),
    (#"{"f": {"library": "libm.so.6", "returns": "void"}}"#, #"no function "f""#),
    (
      #"{"f": {"library": "libm.so.6", "returns": "void", "parameters": [{"name": "b", "type": "bytes_out"}]}}"#,
      "size of"
    ),
  ])
  func `a declaration that can't be called is refused`(text: String, message: String) {
    let error = #expect(throws: ModuleLoadError.self) { try caller(text) }
    #expect(error?.message.contains(message) == true)
  }
}
