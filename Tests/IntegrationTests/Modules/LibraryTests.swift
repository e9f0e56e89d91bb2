import AgentJSON
import Testing

/// Libraries that can't be used: each is named, with what to do, and the other processes run.
@Suite struct LibraryTests {
  @Test func `a library that can't be used is named, and the others run`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try await agent.addMisbehaving(name: "absent")
      try agent.folder.remove("modules/absent/libmisbehaving.so")
      try await agent.addMisbehaving(name: "text")
      try agent.folder.write("modules/text/libmisbehaving.so", "this is no library")
      try await agent.addMisbehaving(name: "foreign")
      var bytes = try agent.folder.bytes("modules/foreign/libmisbehaving.so")
      bytes[18] = 183
      try agent.folder.write("modules/foreign/libmisbehaving.so", bytes)
      try await agent.addMisbehaving(["-DHIDDEN"], name: "hidden")
      try await agent.addMisbehaving(["-DMISSING"], name: "unresolved")
      try await agent.addMisbehaving(["-DABI=3"], name: "newer")
      try await addOtherToolchain(to: agent)
      let names = ["absent", "text", "foreign", "hidden", "unresolved", "newer", "toolchain"]
      var processes = JSONObject(
        names.map { (key: $0, value: ["type": .string("\($0)/misbehave")] as JSONValue) })
      processes["clock"] = ["type": "ticks"]
      try agent.settings(modules: ["ticker"] + names, processes: processes)
      try await agent.run()
      let status = try await agent.status("all have failed but one") { status in
        names.allSatisfy { status[$0]?.state == "FAILED" } && status["clock"]?.state == "RUNNING"
      }
      func says(_ name: String, _ words: String...) {
        let reason = status[name]?.reason ?? ""
        for word in words { #expect(reason.contains(word), "\(name): \(reason)") }
        #expect(status[name]?.restarts == 0, "\(name) is tried again in vain")
      }
      says("absent", "libmisbehaving.so", "agent build absent")
      says("text", "libmisbehaving.so", "no shared library", "agent build text")
      says("foreign", "aarch64", "x86")
      says("hidden", "agent_module_v1")
      says("unresolved", "nobody_has_this")
      says("newer", "ABI 3", "1", "Recompile")
      says("toolchain", "clang version 99", "this program was built with", "agent build toolchain")
      #expect(try await agent.agent("status").status == 1)
    }
  }

  private func addOtherToolchain(to agent: AgentUnderTest) async throws {
    // The mark counts in what needs Swift's library. This one is never loaded.
    let core = try await FixtureBuilder.shared.library(
      "functions.c", ["-Wl,-soname,libswiftCore.so"])
    let compiler = "clang version 99 (https://github.com/swiftlang/llvm-project.git 0)"
    let mark = "-DSWIFT_MARK=\"\(compiler)\""
    let library = try await FixtureBuilder.shared.library(
      "swift_marked.c", [mark, "-Wl,--no-as-needed", core])
    try await agent.addMisbehaving(name: "toolchain")
    try agent.folder.link(library, as: "modules/toolchain/libmisbehaving.so")
  }

  @Test func `a manifest that contradicts its library is refused before create`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try await agent.addTicker(name: "another-name")
      try await agent.addTicker(["-DNAME=\"older\""], name: "older")
      try await agent.addTicker(["-DNAME=\"offers-more\"", "-DTROUBLE"], name: "offers-more")
      try await agent.addTicker(["-DNAME=\"offers-less\""], name: "offers-less")
      try agent.change("older") { $0["version"] = "2.0.0" }
      try agent.change("offers-less") { manifest in
        manifest["notifiers"] = ["post": [:]]
      }
      let names = ["another-name", "older", "offers-more", "offers-less"]
      var processes = JSONObject(
        names.map { (key: $0, value: ["type": .string("\($0)/ticks")] as JSONValue) })
      processes["clock"] = ["type": "ticker/ticks"]
      try agent.settings(modules: ["ticker"] + names, processes: processes)
      try await agent.run()
      let status = try await agent.status("all have failed but one") { status in
        names.allSatisfy { status[$0]?.state == "FAILED" } && status["clock"]?.state == "RUNNING"
      }
      #expect(status["another-name"]?.reason.contains("calls itself \"ticker\"") == true)
      #expect(status["older"]?.reason.contains("version 1.0.0; module.json says 2.0.0") == true)
      #expect(status["offers-more"]?.reason.contains("die") == true)
      #expect(status["offers-less"]?.reason.contains("post") == true)
      try await agent.record(of: "clock", with: "created")
      for name in names { #expect(!agent.messages(of: name).contains("created"), "\(name)") }
    }
  }
}
