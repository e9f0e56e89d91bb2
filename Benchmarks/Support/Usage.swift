import Glibc

/// Ends a program that was started with other arguments than it has: prints `usage`, exits with 2.
package func exitWithUsage(_ usage: String) -> Never {
  print("usage: \(usage)")
  exit(2)
}
