// swift-tools-version: 6.2
// The SDK: what a module is written against. It has no dependencies, and keeps none.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// Schemas that the host reads too, embedded so that there is one file of each.
let embedded = [
  "action.output", "logic_adapter.output", "logic_adapters.schema", "module.schema",
  "notifier.output", "output.schema", "route.output", "settings.schema", "strategy.output",
]
/// Schemas for people and for tests.
let forReaders = [
  "action.input", "alert.event", "annotation.event", "logic_adapter.input", "message.event",
  "notifier.input", "route.input", "strategy.input",
]

let package = Package(
  name: "SDK",
  products: [
    .library(name: "CAgentModule", targets: ["CAgentModule"]),
    .library(name: "AgentJSON", targets: ["AgentJSON"]),
    .library(name: "AgentKit", targets: ["AgentKit"]),
    .library(name: "AgentKitTesting", targets: ["AgentKitTesting"]),
    .library(name: "AgentSchemas", targets: ["AgentSchemas"]),
  ],
  targets: [
    .target(name: "CAgentModule"),
    .target(name: "AgentJSON", swiftSettings: settings),
    .target(
      name: "AgentKit", dependencies: ["AgentJSON", "CAgentModule"], swiftSettings: settings),
    .target(name: "AgentKitTesting", dependencies: ["AgentKit"], swiftSettings: settings),
    .target(
      name: "AgentSchemas", path: "schemas", exclude: forReaders.map { "\($0).json" },
      resources: embedded.map { .embedInCode("\($0).json") }, swiftSettings: settings),
    .testTarget(name: "AgentJSONTests", dependencies: ["AgentJSON"], swiftSettings: settings),
    .testTarget(
      name: "AgentKitTests",
      dependencies: ["AgentKit", "AgentKitTesting", "AgentJSON", "CAgentModule"],
      swiftSettings: settings),
  ]
)
