import Glibc
import Testing

@testable import AgentRuntime

@Suite struct LibraryCopiesTests {
  @Test func `a library that is built anew gets a path of its own`() throws {
    let folder = try TestFolder()
    mkdir("\(folder.path)/lib", 0o700)
    let copies = LibraryCopies(folder: "\(folder.path)/lib")
    let library = try folder.write("libx.so", "one")
    let first = copies.copy(of: library)
    #expect(first != library)
    #expect(copies.copy(of: library) == first)
    try folder.write("libx.so", "another")
    let second = copies.copy(of: library)
    #expect(second != first)
    #expect(second.hasSuffix("/libx.so"))
    try folder.write("libx.so", "one")
    #expect(copies.copy(of: library) == first)
  }

  @Test func `copies that nobody uses are removed`() throws {
    let folder = try TestFolder()
    mkdir("\(folder.path)/lib", 0o700)
    let copies = LibraryCopies(folder: "\(folder.path)/lib")
    let used = copies.copy(of: try folder.write("a.so", "a"))
    let unused = copies.copy(of: try folder.write("b.so", "b"))
    copies.removeAll(but: [used])
    #expect(access(used, R_OK) == 0)
    #expect(access(unused, F_OK) != 0)
  }

  @Test func `a library that isn't there is its own copy`() throws {
    let copies = LibraryCopies(folder: try TestFolder().path)
    #expect(copies.copy(of: "/no/such/lib.so") == "/no/such/lib.so")
  }
}
