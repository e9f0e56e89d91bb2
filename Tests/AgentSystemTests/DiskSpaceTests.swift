import Testing

@testable import AgentSystem

@Suite struct DiskSpaceTests {
  @Test func `a folder has no more free space than its file system has in all`() throws {
    let space = try #require(DiskSpace(at: "."))
    #expect(space.total > 0 && space.free <= space.total && space.freeFiles <= space.totalFiles)
  }

  @Test func `a path that isn't there has no space`() {
    #expect(DiskSpace(at: "/proc/self/there-is-no-such-file") == nil)
  }
}
