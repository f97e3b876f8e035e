// Listening is a module of its own for the sake of helpers; who promotes gets it with this one.
@_exported public import MailboxListening
