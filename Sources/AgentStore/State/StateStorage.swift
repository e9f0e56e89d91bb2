/// Reads the key-value store.
public protocol StateReader: AnyObject {
  /// The limits of an owner.
  var limits: StateLimits { get }
  /// Returns a value, or `nil` if the key doesn't exist.
  func value(_ key: String, of owner: String) throws(StoreError) -> StateRow?
  /// Returns at most `limit` values of an owner whose keys start with `prefix`, sorted by the bytes
  /// of the key. Only keys after `after` are included.
  func values(of owner: String, prefix: String, after: String?, limit: Int) throws(StoreError)
    -> [StateRow]
  /// Returns the keys like ``values(of:prefix:after:limit:)``, without reading the values.
  func keys(of owner: String, prefix: String, after: String?, limit: Int) throws(StoreError)
    -> [StateKey]
  /// Returns the usage of an owner, or `nil` if it never had a value.
  func owner(_ name: String) throws(StoreError) -> StateOwner?
  /// Returns the former versions of a key, the latest first, without the current one.
  func history(of key: String, owner: String) throws(StoreError) -> [StateVersion]
  /// Returns all owners that have or had values, sorted by name.
  func owners() throws(StoreError) -> [StateOwner]
}

/// Writes the key-value store. Each owner has its own keys.
public protocol StateStorage: StateReader {
  /// Changes several keys of an owner: all or none.
  /// - Returns: the version of the changes, which is the same for all keys.
  /// - Throws: before anything is changed: `conflict` if a key doesn't have the expected version,
  ///   `invalid` if a key or a value is too large or the owner would exceed its limits.
  @discardableResult
  func change(_ changes: [StateChange], of owner: String, now: Int64) throws(StoreError) -> Int64

  /// Removes an owner with its values, its history and its versions.
  func forget(owner: String) throws(StoreError)
}
