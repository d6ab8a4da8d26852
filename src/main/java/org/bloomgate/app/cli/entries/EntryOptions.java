package org.bloomgate.app.cli.entries;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.app.cli.common.CliAudit;
import org.bloomgate.app.cli.common.KindOption;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.local.EntryStatus;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.EntryText.Field;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The options that the commands `listing` and `exception` share.
final class EntryOptions {
    /// The mark after an entry: in brackets, and in JSON as `mark`.
    static final String MARKS = "Marked published when mirrors have it, overrules when it takes precedence over"
            + " the publisher's, publisher when it comes from there, overruled when an entry here takes precedence.";

    private static final String KIND = "${COMPLETION-CANDIDATES}; a hash is the SHA-256 of a file.";
    private static final String VALUE = "Value in the form that a feed would list.";

    private EntryOptions() {}

    /// The kind and value of the entry.
    static final class Value {
        @Parameters(
                index = "0",
                paramLabel = "KIND",
                converter = KindOption.Kind.class,
                completionCandidates = KindOption.Kind.class,
                description = KIND)
        KeyKind kind;

        @Parameters(index = "1", paramLabel = "VALUE", description = VALUE)
        String value;

        EntryText text() {
            return EntryText.of(kind, value);
        }
    }

    /// The kind and value, where another option may be given instead.
    static final class OptionalValue {
        @Parameters(
                index = "0",
                arity = "0..1",
                paramLabel = "KIND",
                converter = KindOption.Kind.class,
                completionCandidates = KindOption.Kind.class,
                description = KIND)
        Optional<KeyKind> kind = Optional.empty();

        @Parameters(index = "1", arity = "0..1", paramLabel = "VALUE", description = VALUE)
        Optional<String> value = Optional.empty();

        boolean isComplete() {
            return kind.isPresent() && value.isPresent();
        }

        /// The kind and value; empty if neither is given.
        EntryText text() {
            return kind.map(label -> EntryText.of(label, value.orElse(""))).orElse(EntryText.EMPTY);
        }
    }

    /// The match, reason, expiry and author of the entry.
    static final class Terms {
        @Option(
                names = "--match",
                paramLabel = "MATCH",
                defaultValue = "",
                description =
                        "suffix (default: the value and everything below it), below (only names below a domain) or"
                                + " exact.")
        String match = "";

        @Option(
                names = "--reason",
                paramLabel = "TEXT",
                defaultValue = "",
                description = "Reason, shown wherever the entry has an effect.")
        String reason = "";

        @Option(
                names = "--expires",
                paramLabel = "WHEN",
                defaultValue = "",
                description = "Expiry: 30m, 12h, 7d, 4w, or a date in UTC (default: never).")
        String expires = "";

        @Option(
                names = "--author",
                paramLabel = "NAME",
                defaultValue = "",
                description = "Author of the entry (default: the user, as in the audit log).")
        String author = "";

        EntryText addTo(EntryText text) {
            return text.with(Field.MATCH, match)
                    .with(Field.REASON, reason)
                    .with(Field.EXPIRES, expires)
                    .with(Field.AUTHOR, author.isEmpty() ? CliAudit.user().who() : author);
        }
    }

    /// The listings and recipients to which an exception applies.
    static final class Scope {
        @Option(names = "--feed", paramLabel = "FEED", defaultValue = "", description = "Only listings of this feed.")
        String feed = "";

        @Option(
                names = "--category",
                paramLabel = "CATEGORY",
                defaultValue = "",
                description = "Only listings of this category.")
        String category = "";

        @Option(
                names = "--recipient-domain",
                paramLabel = "DOMAIN",
                defaultValue = "",
                description = "Only for recipients in this domain.")
        String recipientDomain = "";

        @Option(
                names = "--sender",
                paramLabel = "NAME",
                defaultValue = "",
                description =
                        "Only in messages of this sender, in From or in the envelope: a mailbox, or a domain and all "
                                + "below it. Instead of KIND and VALUE: any listed value in its messages.")
        String sender = "";

        @Option(
                names = "--unauthenticated",
                description = "Count for mail that only claims the --sender, which anyone can write, instead of mail "
                        + "whose sender is authenticated by DKIM, SPF or a login. Needs --reason, and --expires of at "
                        + "most 90d.")
        boolean unauthenticated;

        EntryText addTo(EntryText text) {
            return text.with(Field.FEED, feed)
                    .with(Field.CATEGORY, category)
                    .with(Field.RECIPIENT_DOMAIN, recipientDomain)
                    .with(Field.SENDER, sender)
                    .with(Field.AUTHENTICATED, unauthenticated ? "false" : "");
        }
    }

    /// `KIND VALUE  match MATCH  ...  by AUTHOR at TIME  (REASON)`
    static String text(EntryText entry) {
        List<String> parts = new ArrayList<>();
        parts.add(entry.get(Field.KIND) + " " + Printable.of(entry.get(Field.VALUE)));
        parts.add("match " + entry.get(Field.MATCH));
        add("feed ", entry.get(Field.FEED), parts);
        add("category ", entry.get(Field.CATEGORY), parts);
        add("recipients at ", entry.get(Field.RECIPIENT_DOMAIN), parts);
        parts.add("by " + Printable.of(entry.get(Field.AUTHOR)) + " at " + entry.get(Field.ADDED));
        add("mail of ", entry.get(Field.SENDER), parts);
        if (entry.get(Field.AUTHENTICATED).equals("false")) {
            parts.add("unauthenticated");
        }
        add("until ", entry.get(Field.EXPIRES), parts);
        add("at most ", entry.get(Field.ACTION), parts);
        if (!entry.get(Field.REASON).isEmpty()) {
            parts.add("(" + Printable.of(entry.get(Field.REASON)) + ")");
        }
        return String.join("  ", parts);
    }

    /// The same with the mark in brackets, the day of the last hit, and remarks after an exclamation mark.
    static String text(EntryStatus status) {
        String mark = status.mark().isEmpty() ? "" : "  [" + status.mark() + "]";
        String hit = status.lastHit().map(day -> "  last hit " + day).orElse("");
        String remarks = status.remarks().isEmpty() ? "" : "  ! " + Printable.of(String.join("; ", status.remarks()));
        return text(status.text()) + mark + hit + remarks;
    }

    private static void add(String what, String value, List<String> parts) {
        if (!value.isEmpty()) {
            parts.add(what + value);
        }
    }
}
