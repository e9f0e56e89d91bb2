public import AgentJSON

/// A C function of a shared library, offered as an action.
public struct FunctionDeclaration: Sendable, Hashable {
  /// A parameter of the function.
  public struct Parameter: Sendable, Hashable {
    /// The member of the input with its value.
    public let name: String
    /// Its type, such as `int32` or `bytes_out`.
    public let type: String
    /// The parameter with the size of the buffer, for `bytes_out`.
    public let size: String?
    /// A description. May be empty.
    public let description: String
  }

  /// Which side frees a returned string.
  public enum Ownership: Sendable, Hashable {
    /// No side: the string is static.
    case `static`
    /// The caller frees it with `free`.
    case free
    /// The caller frees it with this function of the same library.
    case call(String)
  }

  /// The action's name.
  public let name: String
  /// The action's name for people.
  public let title: String
  /// A description. May be empty.
  public let description: String
  /// A valid input.
  public let example: JSONValue?
  /// A soname, or a path in the module's folder.
  public let library: String
  /// The name of the C function.
  public let symbol: String
  /// The parameters, in order.
  public let parameters: [Parameter]
  /// The type of the result, or `void`.
  public let returns: String
  /// The side that frees a returned string.
  public let ownership: Ownership
  /// The declaration, as in the manifest.
  public let declaration: JSONValue

  /// The schema of the action's input: one required member for each parameter.
  public var input: JSONValue {
    var properties = JSONObject()
    var required: [JSONValue] = []
    for parameter in parameters where parameter.type != "bytes_out" {
      properties[parameter.name] = Self.schema(of: parameter)
      required.append(.string(parameter.name))
    }
    return [
      "type": "object", "properties": .object(properties), "required": .array(required),
      "additionalProperties": false,
    ]
  }

  private static func schema(of parameter: Parameter) -> JSONValue {
    var schema: JSONObject =
      switch parameter.type {
      case "float", "double": ["type": "number"]
      case "bool": ["type": "boolean"]
      case "string": ["type": "string"]
      case "bytes": ["type": "string", "contentEncoding": "base64"]
      default: integer(parameter.type)
      }
    if !parameter.description.isEmpty { schema["description"] = .string(parameter.description) }
    return .object(schema)
  }

  private static func integer(_ type: String) -> JSONObject {
    func bounds<I: FixedWidthInteger & SignedInteger>(_: I.Type) -> JSONObject {
      [
        "type": "integer", "minimum": .number(JSONNumber(Int64(I.min))),
        "maximum": .number(JSONNumber(Int64(I.max))),
      ]
    }
    func bounds<I: FixedWidthInteger & UnsignedInteger>(_: I.Type) -> JSONObject {
      ["type": "integer", "minimum": 0, "maximum": .number(JSONNumber(UInt64(I.max)))]
    }
    return switch type {
    case "int8": bounds(Int8.self)
    case "int16": bounds(Int16.self)
    case "int32": bounds(Int32.self)
    case "int64": bounds(Int64.self)
    case "uint8": bounds(UInt8.self)
    case "uint16": bounds(UInt16.self)
    case "uint32": bounds(UInt32.self)
    case "uint64": bounds(UInt64.self)
    default: ["type": "integer"]
    }
  }

  /// Returns whether the type is an integer type of C.
  public static func isInteger(_ type: String) -> Bool {
    type.hasPrefix("int") || type.hasPrefix("uint")
  }
}
