package org.bloomgate.content.mime;

import java.util.ArrayList;
import java.util.List;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Reads a mailbox or address list (RFC 5322 3.4) tolerantly: quoted strings, comments, groups and routes are
/// supported, and everything malformed is skipped.
final class MailboxList {
    /// The most mailboxes that are read from one field; a message with more has the limit `mailboxes`. Lists of senders
    /// are short.
    static final int MAX_MAILBOXES = 1000;

    private final String text;
    private final List<Mailbox> mailboxes = new ArrayList<>();
    private final StringBuilder bareText = new StringBuilder();
    private final StringBuilder comments = new StringBuilder();
    private boolean isCut;

    private MailboxList(String text) {
        this.text = text;
    }

    /// The addresses as in the field, without comments and display names.
    static List<String> parseAddresses(String text, Allowance allowance) {
        return parseMailboxes(text, allowance).stream().map(Mailbox::address).toList();
    }

    /// The mailboxes, with their display names as in the field, or a comment instead.
    static List<Mailbox> parseMailboxes(String text, Allowance allowance) {
        MailboxList list = new MailboxList(text);
        list.read();
        if (list.isCut) {
            allowance.reached(Limit.MAILBOXES);
        }
        return list.mailboxes;
    }

    private void read() {
        int i = 0;
        while (i < text.length() && mailboxes.size() < MAX_MAILBOXES) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> {
                    int end = findQuotedEnd(text, i + 1);
                    bareText.append(text, i, end);
                    i = end;
                }
                case '(' -> i = readComment(i + 1);
                case '<' -> i = readAngleAddress(i + 1);
                case ',', ';' -> {
                    endMailbox();
                    i++;
                }
                case ':' -> {
                    bareText.setLength(0);
                    i++;
                }
                default -> {
                    bareText.append(c);
                    i++;
                }
            }
        }
        isCut = i < text.length();
        endMailbox();
    }

    private void endMailbox() {
        if (bareText.indexOf("@") >= 0) {
            add("", bareText.toString().strip());
        }
        bareText.setLength(0);
        comments.setLength(0);
    }

    /// @return the position after the comment, or the end of the text if the comment does not end
    private int readComment(int from) {
        int end = Math.min(findCommentEnd(text, from), text.length());
        comments.append(text, from, Math.max(from, end - 1));
        return end;
    }

    /// Adds the address in angle brackets, without comments and an old source route (`@a,@b:`), and the display name
    /// before it. Where a comment does not end, it is part of the address, and so is all that looks like one.
    ///
    /// @return the position after the closing bracket
    private int readAngleAddress(int from) {
        StringBuilder bracketed = new StringBuilder();
        boolean hasComments = true;
        int i = from;
        while (i < text.length() && text.charAt(i) != '>') {
            char c = text.charAt(i);
            hasComments = hasComments && (c != '(' || findCommentEnd(text, i + 1) <= text.length());
            if (c == '(' && hasComments) {
                i = readComment(i + 1);
            } else {
                int end = c == '"' ? findQuotedEnd(text, i + 1) : i + 1;
                bracketed.append(text, i, end);
                i = end;
            }
        }
        String address = bracketed.toString().strip();
        int route = address.startsWith("@") ? address.indexOf(':') : -1;
        if (address.indexOf('@') >= 0) {
            add(bareText.toString().strip(), address.substring(route + 1));
        }
        bareText.setLength(0);
        return i + 1;
    }

    private void add(String name, String address) {
        mailboxes.add(new Mailbox(name.isEmpty() ? comments.toString() : name, removeBlanks(address)));
        comments.setLength(0);
    }

    /// Removes the blanks around `@` and dots that the obsolete syntax allows (RFC 5322, 4.4): `joe @ host . example`.
    private static String removeBlanks(String address) {
        if (address.chars().noneMatch(c -> c <= ' ')) {
            return address;
        }
        StringBuilder result = new StringBuilder(address.length());
        boolean isQuoted = false;
        for (int i = 0; i < address.length(); i++) {
            char c = address.charAt(i);
            isQuoted ^= c == '"';
            boolean isJoint = !isQuoted && (c == '@' || c == '.');
            while (isJoint && !result.isEmpty() && result.charAt(result.length() - 1) <= ' ') {
                result.setLength(result.length() - 1);
            }
            result.append(c);
            while (isJoint && i + 1 < address.length() && address.charAt(i + 1) <= ' ') {
                i++;
            }
        }
        return result.toString();
    }

    /// The position after a quoted string, or the end of the text.
    static int findQuotedEnd(String text, int from) {
        int i = from;
        while (i < text.length() && text.charAt(i) != '"') {
            i += text.charAt(i) == '\\' ? 2 : 1;
        }
        return Math.min(i + 1, text.length());
    }

    /// The position after a comment; more than the length of the text if it does not end.
    static int findCommentEnd(String text, int from) {
        int open = 1;
        int i = from;
        while (i < text.length() && open > 0) {
            char c = text.charAt(i);
            open += c == '(' ? 1 : c == ')' ? -1 : 0;
            i += c == '\\' ? 2 : 1;
        }
        return open > 0 ? text.length() + 1 : i;
    }
}
