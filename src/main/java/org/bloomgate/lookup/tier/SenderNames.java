package org.bloomgate.lookup.tier;

/// The addresses that a message names as its sender. The client wrote them: they are not authenticated.
///
/// @param mailFrom canonical mailbox of the reverse-path; empty for the null reverse-path and without one
/// @param from canonical mailbox of the From field; empty until it is read, and if it is unusable
public record SenderNames(String mailFrom, String from) {
    /// Outside of mail.
    public static final SenderNames NONE = new SenderNames("", "");

    /// Whether the exception is for any sender or for one of these.
    public boolean match(ListingException exception) {
        return exception.scope().includesSender(mailFrom) || exception.scope().includesSender(from);
    }
}
