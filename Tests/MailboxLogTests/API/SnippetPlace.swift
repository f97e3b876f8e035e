import TestSupport

/// Where the snippets put their mailbox, apart from what clients import.
struct SnippetPlace {
  private let place = TemporaryDirectory()
  var directory: String { place.path(of: "inbox.mailbox") }
}
