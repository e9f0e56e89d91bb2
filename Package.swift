// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let json: Target.Dependency = .product(name: "AgentJSON", package: "SDK")
let abi: Target.Dependency = .product(name: "CAgentModule", package: "SDK")
let schemas: Target.Dependency = .product(name: "AgentSchemas", package: "SDK")
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let lifecycle: Target.Dependency = .product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(
  name: "UnixSignals", package: "swift-service-lifecycle")
let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let sockets: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let ssl: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let embedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let exchanges: Target.Dependency = .product(
  name: "NIOHTTPTypes", package: "swift-nio-extras")
let http1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let client: Target.Dependency = .product(
  name: "AsyncHTTPClient", package: "async-http-client")
let types: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")

/// One library. What it may import stands in docs/architecture.md; `make lint` holds the two together.
func library(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil)
  -> Target
{
  .target(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

#if arch(arm64)
  let musl = "/usr/lib/aarch64-linux-musl"
#else
  let musl = "/usr/lib/x86_64-linux-musl"
#endif

/// A static program with musl as its C library. Rationale: agent-launch runs before every command
/// in a sandbox, and glibc asks the processor some eighty questions when it starts, each of which
/// takes microseconds in a virtual machine: 0.4 ms, against 0.1 ms with musl.
let withMusl = [
  "-static-executable", "-nostartfiles", "-Xclang-linker", "-nostartfiles",
  "-Xclang-linker", "-nodefaultlibs", "-Xlinker", "--defsym=_DYNAMIC=0",
  "\(musl)/crt1.o", "\(musl)/crti.o", "-Xlinker", "\(musl)/libc.a", "-Xlinker",
  "\(musl)/crtn.o",
]

/// Programs that measure, and campaigns' own: only when somebody asks for them.
func measuring(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Benchmarks/\(folder)/\(name)",
    swiftSettings: settings)
}

let benchmarks: [Target] = [
  .target(name: "BenchSupport", path: "Benchmarks/Support", swiftSettings: settings),
  .target(name: "CProbes", dependencies: [abi], path: "Benchmarks/Host/CProbes"),
  .target(
    name: "CStoreProbe", path: "Benchmarks/Store/CStoreProbe",
    linkerSettings: [.linkedLibrary("sqlite3")]),
  measuring(
    "host-bench", in: "Host",
    [
      "BenchSupport", "CProbes", "AgentWorkerProtocol", "AgentModules", "AgentSettings",
      "AgentSupervision", "AgentEvents", "AgentHost", "AgentWorkers", json,
    ]),
  measuring("assignment-bench", in: "Assignment", ["BenchSupport", "AgentAssignment", json]),
  measuring(
    "events-bench", in: "Events",
    ["BenchSupport", "AgentEvents", "AgentQueries", "AgentStore", json, deque]),
  measuring("json-bench", in: "JSON", ["BenchSupport", "JSONSchema", json]),
  measuring("pattern-bench", in: "JSON", ["BenchSupport", "JSONSchema", json]),
  measuring("schema-fuzz", in: "JSON", ["BenchSupport", "JSONSchema", "JSONSchemaFuzz", json]),
  measuring("queries-bench", in: "Queries", ["BenchSupport", "AgentQueries", json]),
  measuring("cron-bench", in: "Schedules", ["BenchSupport", "AgentSchedules"]),
  measuring("store-bench", in: "Store", ["BenchSupport", "AgentStore", "CStoreProbe"]),
  measuring("store-torture", in: "Store", ["AgentStore"]),
  measuring(
    "tasks-bench", in: "Tasks",
    [
      "BenchSupport", "AgentTasks", "AgentBots", "AgentScheduler", "AgentStore",
      "AgentAssignment", "AgentSchedules", json, sqlite,
    ]),
]

let package = Package(
  name: "bulkhead",
  products: [
    .executable(name: "agent", targets: ["agent"]),
    .executable(name: "agent-worker", targets: ["agent-worker"]),
    .executable(name: "agent-launch", targets: ["agent-launch"]),
    .executable(name: "create-agent", targets: ["create-agent"]),
    .executable(name: "add-agent-module", targets: ["add-agent-module"]),
  ],
  dependencies: [
    .package(path: "SDK"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  ],
  targets: [
    // base
    library("AgentText", []),
    library("ECMARegex", []),
    library(
      "JSONSchema", [json, "AgentText", "ECMARegex"],
      resources: [.embedInCode("Metaschemas/Resources")]),
    library("AgentWorkerProtocol", [json, "AgentText"]),
    library("AgentMetrics", [json, "AgentSystem"]),
    library("AgentLibraryMetrics", ["AgentMetrics", metrics]),
    library("AgentTraces", [json, deque, "AgentMetrics", "AgentSystem", "AgentText"]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CFFI", pkgConfig: "libffi", providers: [.apt(["libffi-dev"])]),
    .target(name: "CSandbox"),
    .target(name: "CCrashReport"),
    .target(name: "CThreadStatistics"),
    .target(name: "CSQLiteConfiguration"),
    .target(name: "CDescriptors"),
    library("AgentModuleLoader", [json, abi, "CFFI"]),
    library("AgentSystem", ["CZlib"]),
    // state
    library("AgentModules", [json, schemas, "JSONSchema", "AgentText"]),
    library(
      "AgentSettings",
      [
        json, schemas, "JSONSchema", "AgentModules", "AgentQueries", "AgentSchedules",
        "AgentAssignment", "AgentText",
      ]),
    library("AgentBuild", ["AgentModules", "AgentText", "CDescriptors"]),
    library("AgentStore", [grdb, sqlite, deque, "AgentSystem", "CSQLiteConfiguration"]),
    library("AgentAccess", [json, "AgentStore", "AgentSystem", "AgentText", "CSodium"]),
    // work
    .target(name: "CSupervision"),
    library("AgentSupervision", ["AgentSystem", "AgentText", "CDescriptors", "CSupervision"]),
    library("AgentQueries", [json, "AgentText"]),
    library("AgentSchedules", ["AgentText"]),
    library("AgentPlot", [json, "AgentText"]),
    library("AgentAssignment", [json, "AgentSystem", "AgentText"]),
    library(
      "AgentEvents",
      [json, deque, "AgentMetrics", "AgentStore", "AgentSystem", "AgentQueries"]),
    library(
      "AgentNotifications",
      [
        json, "AgentModules", "AgentStore", "AgentSupervision", "AgentQueries", "AgentEvents",
        "AgentSchedules", "AgentMetrics", "AgentSystem", "AgentText", "CDescriptors", "CSodium",
        nio, sockets, http1, client, ssl,
      ]),
    library(
      "AgentTasks",
      [
        json, deque, "AgentStore", "AgentText", "AgentMetrics", "AgentAssignment", "AgentSystem",
      ]),
    library(
      "AgentBots",
      [json, "AgentMetrics", "AgentStore", "AgentAssignment", "AgentSystem", "AgentTasks"]),
    library(
      "AgentScheduler",
      [json, "AgentStore", "AgentAssignment", "AgentSchedules", "AgentSystem", "AgentTasks"]),
    library("AgentChat", [json, "AgentSystem"]),
    // host
    library(
      "AgentLogging", [json, "AgentSupervision", "AgentSystem", "AgentText", log]),
    library(
      "AgentWorkers",
      [
        "JSONSchema", "AgentWorkerProtocol", "AgentModuleLoader", "AgentModules", "AgentSettings",
        "AgentSupervision", "AgentStore", "AgentQueries", "AgentEvents", "AgentMetrics",
        "AgentTraces", "AgentAssignment", "AgentTasks", "AgentSystem", "CDescriptors", "CSandbox",
        "CSodium", "AgentBots", "AgentText", json, deque,
      ]),
    library(
      "AgentDiagnostics",
      [
        "AgentModules", "AgentSettings", "AgentSupervision", "AgentStore", "AgentAccess",
        "AgentQueries", "AgentEvents", "AgentMetrics", "AgentTasks", "AgentSystem", "AgentText",
        "AgentLogging", "AgentWorkers", "CSandbox", "AgentWorkerProtocol", "AgentModuleLoader",
        "CZlib", "AgentAssignment", "AgentBots", "AgentScheduler", json,
      ]),
    library(
      "ModuleContractCheck",
      [
        "JSONSchema", "AgentWorkerProtocol", "AgentModules", "AgentSettings", "AgentEvents",
        "AgentQueries", "AgentStore", "AgentSystem", "AgentWorkers", "AgentDiagnostics",
        "AgentSupervision", json,
      ]),
    library(
      "AgentProcesses",
      [
        "JSONSchema", "AgentWorkerProtocol", "AgentModules", "AgentSettings", "AgentSupervision",
        "AgentEvents", "AgentChat", "AgentMetrics", "AgentTraces", "AgentSystem", "AgentText",
        "AgentLogging", "AgentWorkers", "AgentDiagnostics", json,
      ]),
    library(
      "AgentHost",
      [
        "AgentProcesses", "AgentWorkerProtocol", "AgentModules", "AgentSettings",
        "AgentSupervision", "AgentStore", "AgentAccess", "AgentQueries", "AgentEvents",
        "AgentMetrics", "AgentTraces", "AgentNotifications", "AgentAssignment", "AgentSchedules",
        "AgentSystem", "AgentTasks", "AgentLogging", "AgentWorkers", "AgentDiagnostics",
        "CDescriptors", "AgentBots", "AgentScheduler", "AgentText", json, log, lifecycle, signals,
      ], resources: [.embedInCode("Executors/Resources")]),
    // touch
    library(
      "AgentWeb",
      [
        "AgentHost", "AgentProcesses", "AgentLogging", "AgentWorkers", "AgentDiagnostics",
        "AgentSettings", "AgentModules", "AgentAccess", "AgentChat",
        "AgentEvents", "AgentQueries", "AgentStore", "AgentMetrics", "AgentTraces",
        "AgentNotifications", "AgentAssignment", "AgentBots", "AgentSchedules", "AgentScheduler",
        "AgentSystem", "AgentTasks", "AgentText", "JSONSchema",
        json, log, lifecycle,
        hummingbird, .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"), nio, sockets, types, ssl,
        exchanges,
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"), http1,
      ], resources: [.embedInCode("Resources")]),
    program(
      "agent",
      [
        "AgentWeb", "AgentHost", "AgentWorkers", "AgentDiagnostics", "ModuleContractCheck",
        "AgentLogging", "AgentSystem", "AgentSettings", "AgentModules",
        "AgentBuild", "JSONSchema",
        "AgentQueries", "AgentPlot", "AgentTraces", "AgentLibraryMetrics", "AgentAccess",
        "AgentAssignment", "AgentNotifications", "AgentSchedules", "AgentTasks", "AgentText",
        "Scaffolding", "CDescriptors", json, log,
        lifecycle, arguments, nio, types, signals,
        http1, client,
      ]),
    program(
      "agent-worker",
      [
        "AgentModuleLoader", "AgentWorkerProtocol", "CCrashReport", "CDescriptors", "CSandbox",
        "CThreadStatistics",
        json, abi,
      ]),
    .executableTarget(
      name: "agent-launch", dependencies: ["CSandbox"],
      linkerSettings: [.unsafeFlags(withMusl)]),
    library("Scaffolding", [json, "AgentModules", "AgentSettings", "AgentText"]),
    program("create-agent", ["Scaffolding", "AgentAccess", arguments]),
    program("add-agent-module", ["Scaffolding", arguments]),
    // tests
    .target(
      name: "TestSupport", dependencies: [json], path: "Tests/TestSupport", swiftSettings: settings),
    .target(
      name: "JSONSchemaFuzz", dependencies: ["JSONSchema", "TestSupport", json],
      path: "Tests/JSONSchemaFuzz", swiftSettings: settings),
    .target(
      name: "AgentTasksTesting", dependencies: ["AgentTasks", "AgentStore", "TestSupport"],
      path: "Tests/AgentTasksTesting", swiftSettings: settings),
    tests("ECMARegexTests", ["ECMARegex", "TestSupport", json], exclude: ["Fixtures"]),
    tests(
      "JSONSchemaTests", ["JSONSchema", "JSONSchemaFuzz", "TestSupport", json],
      exclude: ["Fixtures"]),
    tests("AgentTracesTests", ["AgentTraces", "AgentMetrics", "TestSupport", json]),
    tests("AgentMetricsTests", ["AgentMetrics", json]),
    tests("AgentLibraryMetricsTests", ["AgentLibraryMetrics", "AgentMetrics", metrics]),
    tests("AgentWorkerProtocolTests", ["AgentWorkerProtocol", "TestSupport", json]),
    tests(
      "AgentModuleLoaderTests",
      ["AgentModuleLoader", "AgentWorkerProtocol", "CDescriptors", json, abi]),
    tests("AgentModulesTests", ["AgentModules", "JSONSchema", "TestSupport", json]),
    tests(
      "AgentSettingsTests",
      [
        "AgentSettings", "AgentModules", "AgentAssignment", "JSONSchema", "TestSupport", json,
      ]),
    .target(name: "CStoreFaults", path: "Tests/CStoreFaults"),
    tests("AgentStoreTests", ["AgentStore", "CStoreFaults", "TestSupport", sqlite]),
    tests("AgentBuildTests", ["AgentBuild", "AgentModules"]),
    tests("ScaffoldingTests", ["Scaffolding", "AgentModules", "AgentSettings"]),
    tests("AgentSupervisionTests", ["AgentSupervision", "TestSupport"]),
    .target(
      name: "HostTestSupport",
      dependencies: [
        "AgentModules", "AgentSettings", "AgentSupervision", "AgentWorkers", "TestSupport",
      ], path: "Tests/HostTestSupport", swiftSettings: settings),
    tests("AgentLoggingTests", ["AgentLogging", "AgentSystem", "TestSupport", json]),
    tests(
      "AgentWorkersTests",
      [
        "AgentWorkers", "AgentDiagnostics", "AgentEvents", "AgentLogging", "AgentMetrics",
        "AgentTraces", "AgentModules", "AgentSettings", "AgentStore", "AgentSystem", "AgentTasks",
        "AgentSupervision", "AgentWorkerProtocol", "CDescriptors", "HostTestSupport", "TestSupport",
        "AgentBots", "AgentTasksTesting", "AgentAssignment", "AgentModuleLoader", json, abi,
      ]),
    tests(
      "AgentDiagnosticsTests",
      [
        "AgentDiagnostics", "AgentWorkers", "AgentLogging", "AgentModules", "AgentSettings",
        "AgentStore", "AgentSystem", "TestSupport", "AgentSupervision", "AgentAssignment",
        "AgentBots", "AgentTasks", "AgentTasksTesting", json,
      ]),
    tests(
      "ModuleContractCheckTests",
      [
        "ModuleContractCheck", "AgentWorkers", "AgentModules", "HostTestSupport", "TestSupport",
        "AgentSettings", json,
      ]),
    tests(
      "AgentProcessesTests",
      [
        "AgentProcesses", "AgentDiagnostics", "AgentEvents", "AgentLogging", "AgentMetrics",
        "AgentSettings", "AgentStore", "AgentSupervision", "AgentTraces", "AgentWorkers",
        "HostTestSupport", "TestSupport", json,
      ]),
    tests(
      "AgentHostTests",
      [
        "AgentHost", "AgentWorkers", "AgentDiagnostics", "AgentEvents", "AgentLogging",
        "AgentModules", "AgentSettings", "AgentStore", "TestSupport", "AgentTasks",
        "AgentTasksTesting", json,
      ]),
    tests("AgentSystemTests", ["AgentSystem", "TestSupport"]),
    tests("IntegrationTests", ["TestSupport", json]),
    tests("AgentQueriesTests", ["AgentQueries", "TestSupport", json]),
    tests("AgentSchedulesTests", ["AgentSchedules", "TestSupport"]),
    tests("AgentPlotTests", ["AgentPlot", json]),
    tests("AgentAssignmentTests", ["AgentAssignment", "TestSupport", json]),
    tests("AgentEventsTests", ["AgentEvents", "AgentStore", "AgentQueries", "TestSupport", json]),
    tests("AgentAccessTests", ["AgentAccess", "AgentStore", "AgentText", json]),
    tests("AgentTextTests", ["AgentText"]),
    tests("AgentChatTests", ["AgentChat", json]),
    tests(
      "AgentWebTests",
      [
        "AgentWeb", "AgentAccess", "AgentEvents", "AgentMetrics", "AgentNotifications",
        "AgentHost", "AgentSettings", "AgentStore", "AgentWorkers", "TestSupport", json, nio,
        embedded, exchanges,
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"), http1, types, ssl,
        hummingbird, .product(name: "HummingbirdCore", package: "hummingbird"), lifecycle, log,
      ]),
    tests(
      "AgentNotificationsTests",
      [
        "AgentNotifications", "AgentEvents", "AgentSchedules", "AgentMetrics", "AgentQueries",
        "AgentStore", "AgentSystem", "TestSupport", json,
        nio, sockets, http1, ssl,
      ]),
    tests(
      "AgentTasksTests",
      [
        "AgentTasks", "AgentAssignment", "AgentMetrics", "AgentStore", "AgentSystem",
        "AgentTasksTesting", "TestSupport", json,
      ]),
    tests(
      "AgentBotsTests",
      [
        "AgentBots", "AgentTasks", "AgentAssignment", "AgentStore", "AgentEvents", "AgentQueries",
        "AgentTasksTesting", "TestSupport", json,
      ]),
    tests(
      "AgentSchedulerTests",
      [
        "AgentScheduler", "AgentSchedules", "AgentTasks", "AgentStore", "AgentTasksTesting",
        "TestSupport", json,
      ]),
  ]
)

if Context.environment["BULKHEAD_BENCHMARKS"] != nil { package.targets += benchmarks }

// What `make check` runs under the sanitizers: built with one, the dependencies of the others would
// take many times as long as what is to be checked.
if Context.environment["BULKHEAD_SANITIZED"] != nil {
  let alone: Set = [
    "ECMARegex", "ECMARegexTests", "JSONSchema", "JSONSchemaFuzz", "JSONSchemaTests",
    "AgentWorkerProtocol", "AgentWorkerProtocolTests", "AgentText", "TestSupport",
  ]
  package.targets.removeAll { !alone.contains($0.name) }
  package.products = []
  package.dependencies = [.package(path: "SDK")]
}
