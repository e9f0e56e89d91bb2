public import AgentJSON

/// A plain C function of a shared library, offered as an action.
public struct FunctionDeclaration: Sendable, Hashable {
  /// One of its parameters.
  public struct Parameter: Sendable, Hashable {
    /// Names the member of the input that holds its value.
    public let name: String
    /// Its type, such as `int32` or `bytes_out`.
    public let type: String
    /// For `bytes_out`: the parameter that holds the buffer's size.
    public let size: String?
    /// A sentence; may be empty.
    public let description: String
  }

  /// Which side frees a returned string.
  public enum Ownership: Sendable, Hashable {
    /// Nobody.
    case `static`
    /// The caller, with `free`.
    case free
    /// The caller, with this function of the same library.
    case call(String)
  }

  /// The action's name.
  public let name: String
  /// Its name for people.
  public let title: String
  /// A sentence; may be empty.
  public let description: String
  /// An input that works.
  public let example: JSONValue?
  /// A soname, or a path inside the module's folder.
  public let library: String
  /// The C name.
  public let symbol: String
  /// In order.
  public let parameters: [Parameter]
  /// The result's type, or `void`.
  public let returns: String
  /// For a returned string.
  public let ownership: Ownership
  /// The member of `functions` as the manifest has it.
  public let declaration: JSONValue

  /// The schema of the action's input: one member a parameter, none of them optional.
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

  /// Whether C calls this an integer.
  public static func isInteger(_ type: String) -> Bool {
    type.hasPrefix("int") || type.hasPrefix("uint")
  }
}
