internal import AgentJSON
internal import AgentModules
internal import Glibc
internal import JSONSchema

/// Reads schemas and the files to check. It reports the problems of both with their places.
struct SchemaFiles {
  struct Loaded {
    let schema: Schema
    /// The draft's name.
    let dialect: String
    /// Keywords without effect, and other findings that aren't errors.
    let warnings: [Problem]
  }

  struct Faults: Error {
    let problems: [Problem]
  }

  private let options: SchemaOptionGroup

  init(_ options: SchemaOptionGroup) {
    self.options = options
  }

  /// Compiles the schema of a file with everything that it refers to.
  func load(_ path: String) -> Result<Loaded, Faults> {
    do {
      let main = try Self.read(path)
      let base = main.document.root["$id"]?.string ?? main.document.root["id"]?.string
      let registered = try SchemaRegistryFiles(options.registry, base: base)
      return compile(main, registered)
    } catch {
      return .failure(Faults(problems: [error]))
    }
  }

  private func compile(
    _ main: SourceFile, _ registered: SchemaRegistryFiles
  ) -> Result<Loaded, Faults> {
    let root = main.document.root
    let faults = Schema.faults(
      in: root, registry: registered.registry, options: options.compileOptions)
    let own = zip(faults, main.problems(faults)).map { fault, problem in
      fault.missingDocument == nil ? problem : Self.namingOption(problem)
    }
    do {
      let schema = try Schema(
        root.value, registry: registered.registry, options: options.compileOptions)
      if own.hasErrors { return .failure(Faults(problems: own)) }
      let uri = root["$schema"]?.string
      let dialect = SchemaDialect.allCases.first { $0.uri == uri } ?? options.draft
      return .success(Loaded(schema: schema, dialect: dialect.name, warnings: own))
    } catch {
      let others = error.all.filter { $0.document != nil || !own.hasErrors }.map { fault in
        let problem = (fault.document.flatMap(registered.source) ?? main).problem(fault)
        return fault.missingDocument == nil ? problem : Self.namingOption(problem)
      }
      return .failure(Faults(problems: (own + others).inReadingOrder(first: main.name)))
    }
  }

  /// Returns the problem with a hint at the option that registers a document.
  private static func namingOption(_ problem: Problem) -> Problem {
    var problem = problem
    problem.message = problem.message.replacing(
      "Register it", with: "Register it with --registry", maxReplacements: 1)
    return problem
  }

  /// Returns the problems of a file.
  func check(_ path: String, against schema: Schema) -> [Problem] {
    do {
      let source = try Self.read(path)
      // People check their own files here, so all problems are shown.
      return source.problems(schema.validate(source.document.root, limit: .max))
    } catch {
      return [error]
    }
  }

  /// Reads a file, or standard input for `-`.
  static func read(_ path: String) throws(Problem) -> SourceFile {
    guard path == "-" else { return try SourceFile.read(path, named: path) }
    return try SourceFile.parse(StandardInput.all(), named: "standard input")
  }
}

/// The files of `--registry`. They are found by their `$id`, and by their path beside the main
/// schema.
struct SchemaRegistryFiles {
  private(set) var registry = SchemaRegistry()
  private var sources: [String: SourceFile] = [:]

  init(_ paths: [String], base: String?) throws(Problem) {
    for path in paths {
      for (file, name) in Self.files(at: path) {
        try add(try SourceFile.read(file, named: file), as: name, base)
      }
    }
  }

  /// Returns the file that was registered for an address.
  func source(of address: String) -> SourceFile? { sources[address] }

  private mutating func add(
    _ source: SourceFile, as name: String, _ base: String?
  ) throws(Problem) {
    let value = source.document.root.value
    var addresses = [name]
    if let base, let slash = base.lastIndex(of: "/") { addresses.append(base[...slash] + name) }
    if let id = value["$id"]?.string ?? value["id"]?.string { addresses.append(id) }
    for address in addresses {
      registry.register(address, value)
      let key = String(address.prefix { $0 != "#" })
      sources[key] = source
    }
  }

  /// Returns the files below a path, with their names relative to it.
  private static func files(at path: String) -> [(file: String, name: String)] {
    guard let folder = opendir(path) else {
      return [(path, String(path.split(separator: "/").last ?? ""))]
    }
    defer { closedir(folder) }
    var found: [(file: String, name: String)] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(".") { continue }
      let inner = "\(path)/\(name)"
      if entry.pointee.d_type == UInt8(DT_DIR) {
        found += files(at: inner).map { ($0.file, "\(name)/\($0.name)") }
      } else if name.hasSuffix(".json") {
        found.append((inner, name))
      }
    }
    return found.sorted { $0.file < $1.file }
  }
}
