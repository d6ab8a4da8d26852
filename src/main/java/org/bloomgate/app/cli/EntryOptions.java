package org.bloomgate.app.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.local.EntryLine;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.ExceptionLine;
import org.bloomgate.lookup.local.ListingLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The options that the commands `listing` and `exception` share.
final class EntryOptions {
    /// The mark after an entry: in brackets, and in JSON as `mark`.
    static final String MARKS = "Marked published when mirrors have it, overrules when it takes precedence over"
            + " the publisher's, publisher when it comes from there, overruled when an entry here takes precedence.";

    private EntryOptions() {}

    /// The kind and value of the entry.
    static final class Value {
        @Parameters(
                index = "0",
                paramLabel = "KIND",
                converter = CheckCommand.Kind.class,
                completionCandidates = CheckCommand.Kind.class,
                description = "${COMPLETION-CANDIDATES}; a hash is the SHA-256 of a file.")
        KeyKind kind;

        @Parameters(index = "1", paramLabel = "VALUE", description = "Value in the form that a feed would list.")
        String value;
    }

    /// The kind and value, where another option may be given instead.
    static final class OptionalValue {
        @Parameters(
                index = "0",
                arity = "0..1",
                paramLabel = "KIND",
                converter = CheckCommand.Kind.class,
                completionCandidates = CheckCommand.Kind.class,
                description = "${COMPLETION-CANDIDATES}; a hash is the SHA-256 of a file.")
        Optional<KeyKind> kind = Optional.empty();

        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "VALUE",
                description = "Value in the form that a feed would list.")
        Optional<String> value = Optional.empty();

        boolean isComplete() {
            return kind.isPresent() && value.isPresent();
        }

        Value value() {
            Value complete = new Value();
            complete.kind = kind.orElseThrow();
            complete.value = value.orElseThrow();
            return complete;
        }
    }

    /// The match, reason, expiry and author of the entry.
    static final class Terms {
        static final Terms NONE = new Terms();

        @Option(
                names = "--match",
                paramLabel = "MATCH",
                defaultValue = "",
                description = "suffix (default: the value and everything below it) or exact.")
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
                defaultValue = "${sys:user.name}",
                description = "Author of the entry (default: the user, ${DEFAULT-VALUE}).")
        String author = "";

        /// An entry without a value.
        EntryText entry() {
            return EntryText.terms(reason, expires, author);
        }

        EntryText entry(Value value, Scope scope) {
            return entry(value.kind.label(), value.value, scope);
        }

        /// An exception for every listing in messages of the sender of the scope.
        EntryText entry(Scope scope) {
            return entry("", "", scope);
        }

        private EntryText entry(String kind, String value, Scope scope) {
            return new EntryText(
                    kind,
                    value,
                    match,
                    scope.feed,
                    scope.category,
                    scope.recipientDomain,
                    scope.sender,
                    reason,
                    expires,
                    author,
                    !scope.unauthenticated);
        }
    }

    /// The listings and recipients to which an exception applies.
    static final class Scope {
        static final Scope ANY = new Scope();

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

        Scope() {}

        Scope(String feed, String category, String recipientDomain) {
            this.feed = feed;
            this.category = category;
            this.recipientDomain = recipientDomain;
        }
    }

    /// `KIND VALUE  match MATCH  ...  by AUTHOR at TIME  (REASON)`
    static String text(EntryLine line) {
        List<String> parts = new ArrayList<>();
        parts.add(line.kind() + " " + Printable.of(line.value()));
        parts.add("match " + line.match());
        add("feed ", line.feed(), parts);
        add("category ", line.category(), parts);
        add("recipients at ", line.recipientDomain(), parts);
        parts.add("by " + Printable.of(line.author()) + " at " + line.added());
        add("mail of ", line.sender(), parts);
        line.authenticated().ifPresent(_ -> parts.add("unauthenticated"));
        add("until ", line.expires(), parts);
        if (!line.reason().isEmpty()) {
            parts.add("(" + Printable.of(line.reason()) + ")");
        }
        return String.join("  ", parts);
    }

    /// The same with its mark in brackets.
    static String text(ListingLine line) {
        return text(line.entry()) + mark(line.mark());
    }

    private static String mark(String mark) {
        return mark.isEmpty() ? "" : "  [" + mark + "]";
    }

    /// The same with the day of its last hit, and remarks after an exclamation mark.
    static String text(ExceptionLine line) {
        String hit = line.lastHit().map(day -> "  last hit " + day).orElse("");
        String remarks = line.remarks().isEmpty() ? "" : "  ! " + Printable.of(String.join("; ", line.remarks()));
        return text(line.entry()) + mark(line.mark()) + hit + remarks;
    }

    private static void add(String what, String value, List<String> parts) {
        if (!value.isEmpty()) {
            parts.add(what + value);
        }
    }
}
