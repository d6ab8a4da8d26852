package org.bloomgate.content.links;

/// Fields by which people identify a message, from its header: unfolded and decoded, the first of each name,
/// cut at [#MAX_TEXT] characters. The sender chose them, so they may contain anything.
///
/// @param messageId with its brackets, as received
/// @param mailboxes all From fields, unfolded but neither decoded nor cut, joined by commas
/// @param fromFields the number of From fields
public record MessageSummary(String messageId, String subject, String from, String mailboxes, int fromFields) {
    /// Characters of one field. Hides nothing: the cut text is for people; the inspection reads the whole
    /// field.
    public static final int MAX_TEXT = 256;

    /// For a message that was not read, or has none of the fields.
    public static final MessageSummary NONE = new MessageSummary("", "", "", "", 0);

    public MessageSummary withMessageId(String value) {
        return messageId.isEmpty() ? new MessageSummary(cut(value), subject, from, mailboxes, fromFields) : this;
    }

    public MessageSummary withSubject(String value) {
        return subject.isEmpty() ? new MessageSummary(messageId, cut(value), from, mailboxes, fromFields) : this;
    }

    public MessageSummary withFrom(String decoded, String field) {
        return mailboxes.isEmpty()
                ? new MessageSummary(messageId, subject, cut(decoded), field.strip(), fromFields + 1)
                : new MessageSummary(messageId, subject, from, mailboxes + ", " + field.strip(), fromFields + 1);
    }

    /// Cuts the text, but not between the halves of a surrogate pair.
    private static String cut(String value) {
        String text = value.strip();
        if (text.length() <= MAX_TEXT) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT;
        return text.substring(0, end);
    }
}
