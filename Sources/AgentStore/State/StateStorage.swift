/// Reads the key-value store.
public protocol StateReader: AnyObject {
  /// How much an owner may hold.
  var limits: StateLimits { get }
  /// One value, or nil.
  func value(_ key: String, of owner: String) throws(StoreError) -> StateRow?
  /// An owner's values whose keys start with `prefix`, sorted by the bytes of the key; only those
  /// after the key `after`, and at most `limit`.
  func values(of owner: String, prefix: String, after: String?, limit: Int) throws(StoreError)
    -> [StateRow]
  /// As ``values(of:prefix:after:limit:)``, without reading the values.
  func keys(of owner: String, prefix: String, after: String?, limit: Int) throws(StoreError)
    -> [StateKey]
  /// How much one owner holds; nil for one that never had a value.
  func owner(_ name: String) throws(StoreError) -> StateOwner?
  /// Former versions of a key, the latest first. The present one isn't among them.
  func history(of key: String, owner: String) throws(StoreError) -> [StateVersion]
  /// All owners that have or had values, sorted by name.
  func owners() throws(StoreError) -> [StateOwner]
}

/// Writes the key-value store, in which each owner has keys of its own.
public protocol StateStorage: StateReader {
  /// Changes several keys of an owner, all or none.
  ///
  /// Fails before anything is changed: with `conflict` when a key hasn't the expected version, with
  /// `invalid` when a key or a value is too large or the owner would hold too many or too much.
  /// - Returns: the version of the changes, the same for all keys.
  @discardableResult
  func change(_ changes: [StateChange], of owner: String, now: Int64) throws(StoreError) -> Int64

  /// Removes an owner with its values, history and versions.
  func forget(owner: String) throws(StoreError)
}
