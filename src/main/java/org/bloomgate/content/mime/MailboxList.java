package org.bloomgate.content.mime;

import java.util.ArrayList;
import java.util.List;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// The addresses of a mailbox or address list (RFC 5322 3.4), read with good will: quoted strings, comments, groups
/// and routes are understood, everything broken is passed over.
final class MailboxList {
    /// A list of senders is short; a longer one is not worth the work: the limit `mailboxes`.
    static final int MAX_MAILBOXES = 1000;

    private final String text;
    private final List<Mailbox> mailboxes = new ArrayList<>();
    private final StringBuilder bare = new StringBuilder();
    private final StringBuilder comments = new StringBuilder();
    private boolean cut;

    private MailboxList(String text) {
        this.text = text;
    }

    /// Address specifications as written, comments and display names left out.
    static List<String> addresses(String text, Allowance allowance) {
        return mailboxes(text, allowance).stream().map(Mailbox::address).toList();
    }

    /// The mailboxes with their display names as written, or a comment instead.
    static List<Mailbox> mailboxes(String text, Allowance allowance) {
        MailboxList list = new MailboxList(text);
        list.read();
        if (list.cut) {
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
                    int end = endOfQuoted(i + 1);
                    bare.append(text, i, end);
                    i = end;
                }
                case '(' -> {
                    int end = endOfComment(i + 1);
                    comments.append(text, i + 1, Math.max(i + 1, end - 1));
                    i = end;
                }
                case '<' -> i = angle(i + 1);
                case ',', ';' -> {
                    endOfMailbox();
                    i++;
                }
                case ':' -> {
                    bare.setLength(0);
                    i++;
                }
                default -> {
                    bare.append(c);
                    i++;
                }
            }
        }
        cut = i < text.length();
        endOfMailbox();
    }

    private void endOfMailbox() {
        if (bare.indexOf("@") >= 0) {
            add("", bare.toString().strip());
        }
        bare.setLength(0);
        comments.setLength(0);
    }

    /// The address in angle brackets, an old source route (`@a,@b:`) cut off; the display name before it is dropped.
    private int angle(int from) {
        int i = from;
        while (i < text.length() && text.charAt(i) != '>') {
            i = text.charAt(i) == '"' ? endOfQuoted(i + 1) : i + 1;
        }
        String address = text.substring(from, Math.min(i, text.length())).strip();
        int route = address.startsWith("@") ? address.indexOf(':') : -1;
        if (address.indexOf('@') >= 0) {
            add(bare.toString().strip(), address.substring(route + 1));
        }
        bare.setLength(0);
        return i + 1;
    }

    private void add(String name, String address) {
        mailboxes.add(new Mailbox(name.isEmpty() ? comments.toString() : name, closed(address)));
        comments.setLength(0);
    }

    /// Without the blanks that once were allowed round `@` and dots (RFC 5322, 4.4): `joe @ host . example`.
    private static String closed(String address) {
        if (address.indexOf(" @") < 0 && address.indexOf("@ ") < 0 && address.indexOf(" .") < 0) {
            return address;
        }
        StringBuilder closed = new StringBuilder(address.length());
        boolean quoted = false;
        for (int i = 0; i < address.length(); i++) {
            char c = address.charAt(i);
            quoted ^= c == '"';
            boolean joint = !quoted && (c == '@' || c == '.');
            while (joint && !closed.isEmpty() && closed.charAt(closed.length() - 1) <= ' ') {
                closed.setLength(closed.length() - 1);
            }
            closed.append(c);
            while (joint && i + 1 < address.length() && address.charAt(i + 1) <= ' ') {
                i++;
            }
        }
        return closed.toString();
    }

    private int endOfQuoted(int from) {
        int i = from;
        while (i < text.length() && text.charAt(i) != '"') {
            i += text.charAt(i) == '\\' ? 2 : 1;
        }
        return Math.min(i + 1, text.length());
    }

    private int endOfComment(int from) {
        int open = 1;
        int i = from;
        while (i < text.length() && open > 0) {
            char c = text.charAt(i);
            open += c == '(' ? 1 : c == ')' ? -1 : 0;
            i += c == '\\' ? 2 : 1;
        }
        return Math.min(i, text.length());
    }
}
