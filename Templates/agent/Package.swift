// swift-tools-version: 6.2
// For editors and `swift test`: a target for each Swift module. `agent build` makes the libraries.
import Foundation
import PackageDescription

let folder = Context.packageDirectory + "/modules"
let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
let modules = names.filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)/Module.swift") }

func swiftName(_ name: String) -> String {
  name.split { $0 == "-" || $0 == "_" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    + "Module"
}

// Without Entry.swift: one test program can have one entry point only.
let package = Package(
  name: "{{agent}}",
  dependencies: [.package(path: "{{sdk}}")],
  targets: modules.flatMap { name in
    [
      .target(
        name: swiftName(name), dependencies: [.product(name: "AgentKit", package: "SDK")],
        path: "modules/\(name)", sources: ["Module.swift", "datasources", "monitors", "logic_adapters"]),
      .testTarget(
        name: swiftName(name) + "Tests",
        dependencies: [
          .byName(name: swiftName(name)), .product(name: "AgentKitTesting", package: "SDK"),
        ], path: "modules/\(name)/tests"),
    ]
  }
)
