/// What happens to the target of a link (or of a list of them) when the object that holds the link is deleted.
public enum StorageDeleteRule: Sendable {
  /// The targets stay.
  case nullify
  /// They are deleted too, cycles included.
  case cascade
  /// Deleting is refused with `StorageError.deleteDenied` while there are any.
  case deny
}
