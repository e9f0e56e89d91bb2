// swift-tools-version: 6.2
// What `make bench` runs: small programs that start the built executables, each figure beside its
// probe. Rationale: package-benchmark brings dependencies that this repository doesn't want.
//
// The rooms are links to the host's own sources: an executable of the root package can't be
// measured from within, and no room is made public for it (see run.sh).
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let json: Target.Dependency = .product(name: "AgentJSON", package: "SDK")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let abi: Target.Dependency = .product(name: "CAgentModule", package: "SDK")

/// One of the root package's rooms.
func room(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil)
  -> Target
{
  .target(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(path: "../SDK"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  ],
  targets: [
    .target(name: "CProbes", dependencies: [abi]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CFFI", pkgConfig: "libffi", providers: [.apt(["libffi-dev"])]),
    .target(name: "CSandbox"),
    .target(name: "CDescriptors"),
    .target(name: "CSupervision"),
    room("AgentSystem", []),
    room("AgentText", []),
    room("JSONSchema", [json]),
    room("AgentWorkerProtocol", [json]),
    room("AgentMetrics", [json]),
    room("AgentTraces", [json, deque, "AgentMetrics"]),
    room("AgentModuleLoader", [json, abi, "CFFI"]),
    room("AgentModules", [json, "JSONSchema"], resources: [.embedInCode("Resources")]),
    room(
      "AgentSettings",
      [json, "JSONSchema", "AgentModules", "AgentQueries", "AgentSchedules", "AgentAssignment"],
      resources: [.embedInCode("Resources")]),
    room("AgentSupervision", ["CSupervision"]),
    room(
      "AgentStore",
      [
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"), deque, "AgentSystem",
      ]),
    room("AgentAccess", [json, "AgentStore", "AgentSystem", "AgentText", "CSodium"]),
    room("AgentQueries", [json]),
    room("AgentEvents", [json, deque, "AgentStore", "AgentSystem", "AgentQueries"]),
    room("AgentAssignment", [json, "AgentSystem"]),
    room(
      "AgentTasks",
      [
        json, deque, "AgentStore", "AgentQueries", "AgentEvents", "AgentMetrics",
        "AgentAssignment", "AgentSchedules", "AgentSystem",
        "AgentSupervision", "CDescriptors",
      ], resources: [.embedInCode("Resources")]),
    room(
      "AgentNotifications",
      [
        json, "AgentStore", "AgentQueries", "AgentEvents", "AgentSchedules", "AgentMetrics",
        "AgentSystem", "CSodium",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    room("AgentChat", [json]),
    room(
      "AgentRuntime",
      [
        json, "JSONSchema", "AgentWorkerProtocol", "AgentModuleLoader", "AgentModules",
        "AgentSettings", "AgentSupervision", "AgentStore", "AgentAccess", "AgentQueries",
        "AgentEvents", "AgentChat", "AgentMetrics", "AgentTraces",
        "AgentNotifications", "AgentAssignment", "AgentSchedules", "AgentSystem", "AgentTasks",
        "CDescriptors", "CSandbox", "CSodium", "CZlib", "AgentText", deque,
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CProbes", "AgentWorkerProtocol", "AgentModules", "AgentSettings", "AgentSupervision",
        "AgentEvents", "AgentRuntime", json,
      ],
      swiftSettings: settings),
  ]
)
