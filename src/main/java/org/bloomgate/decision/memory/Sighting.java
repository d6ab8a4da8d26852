package org.bloomgate.decision.memory;

/// The first sighting of a link domain within the last 24 hours.
///
/// @param minute of it, since 1970
/// @param messages delivered with it since
/// @param recipients of these messages
record Sighting(int minute, int messages, int recipients) {
    Sighting with(int moreMessages, int moreRecipients) {
        return new Sighting(minute, messages + moreMessages, recipients + moreRecipients);
    }
}
