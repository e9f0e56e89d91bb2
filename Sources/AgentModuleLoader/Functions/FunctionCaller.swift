import AgentJSON
import CFFI
import Glibc

/// Calls C functions of shared libraries with JSON, through libffi.
///
/// The input is an object with one member for each parameter. The output is an object. Its member
/// `result` is the returned value; it is absent for `void` and null for a NULL string. Each
/// `bytes_out` parameter is a member with base64 text.
///
/// Rationale: `init` writes everything, and later calls only read it. The owner makes all calls on
/// one thread. `@unchecked` is necessary because of the C pointers.
public final class FunctionCaller: @unchecked Sendable {
  private struct Prepared {
    let function: ForeignFunction
    let address: UnsafeMutableRawPointer
    let release: UnsafeMutableRawPointer?
  }

  private let functions: [String: Prepared]

  /// Opens the libraries and looks up the symbols of a manifest's `functions`. A library with a
  /// slash is a path in `directory`; others are sonames.
  /// - Parameter declarations: the JSON object of the manifest.
  /// - Throws: `ModuleLoadError` with the function or the library at fault.
  public init(declarations: [UInt8], directory: String) throws(ModuleLoadError) {
    let root: JSONNode
    do {
      root = try JSONDocument(parsing: declarations).root
    } catch {
      throw ModuleLoadError(.function, "\"functions\" isn't JSON.", cause: "\(error)")
    }
    var functions: [String: Prepared] = [:]
    for member in root.members {
      let function = try ForeignFunction(name: member.key, member.value)
      functions[member.key] = try Self.prepare(function, directory)
    }
    self.functions = functions
  }

  /// The names of the functions, sorted.
  public var names: [String] { functions.keys.sorted() }

  /// Calls a function with a JSON object and returns a JSON object. [module-thread]
  public func call(_ name: String, input: [UInt8]) throws(ModuleFailure) -> [UInt8] {
    guard let prepared = functions[name] else {
      throw ModuleFailure(.unsupported, "There is no function \"\(name)\".")
    }
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: input.isEmpty ? Array("{}".utf8) : input)
    } catch {
      throw ModuleFailure(.invalidArgument, "The input isn't JSON: \(error)")
    }
    guard document.root.kind == .object else {
      throw ModuleFailure(.invalidArgument, "The input must be an object with the parameters.")
    }
    let frame = try ArgumentFrame(prepared.function, document.root)
    return try Self.call(prepared, frame)
  }

  private static func call(
    _ prepared: Prepared, _ frame: ArgumentFrame
  ) throws(ModuleFailure) -> [UInt8] {
    let function = prepared.function
    var types: [UnsafeMutablePointer<ffi_type>?] = function.parameters.map { $0.type.foreign }
    var values = frame.values
    var call = ffi_cif()
    // libffi widens small integers to a whole register, so the result needs eight bytes.
    var result: UInt64 = 0
    let accepted = types.withUnsafeMutableBufferPointer { types in
      values.withUnsafeMutableBufferPointer { values in
        guard
          cffi_prepare(&call, UInt32(types.count), function.returns.foreign, types.baseAddress) == 0
        else { return false }
        cffi_call(&call, prepared.address, &result, values.baseAddress)
        return true
      }
    }
    guard accepted else {
      throw ModuleFailure(.unsupported, "\(function.name) can't be called on this machine.")
    }
    var writer = JSONWriter()
    writer.beginObject()
    ResultWriter.write(result, function.returns, release: prepared.release, to: &writer)
    for output in frame.outputs {
      writer.key(output.name)
      writer.string(JSONBase64.encode(output.bytes))
    }
    writer.endObject()
    return writer.bytes
  }

  private static func prepare(
    _ function: ForeignFunction, _ directory: String
  ) throws(ModuleLoadError) -> Prepared {
    let isPath = function.library.utf8.contains(UInt8(ascii: "/"))
    let inside = access("\(directory)/\(function.library)", F_OK) == 0
    let path = isPath || inside ? "\(directory)/\(function.library)" : function.library
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      throw ModuleLoadError(
        .link, "The library \"\(function.library)\" of \"\(function.name)\" can't be loaded.",
        cause: dlerror().map { String(cString: $0) })
    }
    return Prepared(
      function: function, address: try symbol(function.symbol, in: handle, for: function),
      release: try release(function, handle))
  }

  private static func symbol(
    _ name: String, in handle: UnsafeMutableRawPointer, for function: ForeignFunction
  ) throws(ModuleLoadError) -> UnsafeMutableRawPointer {
    guard let address = dlsym(handle, name) else {
      throw ModuleLoadError(
        .symbol, "The library \"\(function.library)\" has no function \"\(name)\".")
    }
    return address
  }

  private static func release(
    _ function: ForeignFunction, _ handle: UnsafeMutableRawPointer
  ) throws(ModuleLoadError) -> UnsafeMutableRawPointer? {
    switch function.ownership {
    case .nobody: nil
    case .free: try symbol("free", in: handle, for: function)
    case .call(let name): try symbol(name, in: handle, for: function)
    }
  }
}
