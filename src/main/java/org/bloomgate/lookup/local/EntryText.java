package org.bloomgate.lookup.local;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.core.key.FeedKey;
import org.bloomgate.core.key.FeedKeys;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.url.DomainName;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.LocalRules;

/// A local entry as an operator wrote it, on the command line or to the admin API; what was not given is empty.
///
/// @param expires `7d`, `12h`, `30m`, a date (UTC, from its first moment on) or an ISO instant
/// @param authenticated false for an exception that counts for mail that only claims its sender
public record EntryText(
        String kind,
        String value,
        String match,
        String feed,
        String category,
        String recipientDomain,
        String sender,
        String reason,
        String expires,
        String author,
        boolean authenticated) {
    private static final int MAX_REASON_CHARS = 500;
    private static final int MAX_AUTHOR_CHARS = 100;
    private static final int MAX_DOMAIN_CHARS = 255;

    /// How long an exception may last that anybody can use by writing its sender.
    static final Duration LONGEST_UNAUTHENTICATED = Duration.ofDays(90);

    /// As the names of feeds and categories are written.
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private static final Pattern SPAN = Pattern.compile("([0-9]{1,6})([mhdw])");
    private static final FeedKeys KEYS = new FeedKeys(PublicSuffixes.bundled());

    /// In mail of any sender.
    public EntryText(
            String kind,
            String value,
            String match,
            String feed,
            String category,
            String recipientDomain,
            String reason,
            String expires,
            String author) {
        this(kind, value, match, feed, category, recipientDomain, "", reason, expires, author, true);
    }

    /// The value alone, without reason, expiry and author.
    public static EntryText of(KeyKind kind, String value) {
        return new EntryText(kind.label(), value, "", "", "", "", "", "", "");
    }

    /// The terms of an entry whose value is given elsewhere.
    public static EntryText terms(String reason, String expires, String author) {
        return new EntryText("", "", "", "", "", "", reason, expires, author);
    }

    /// The same with a phone number that is one of the regions.
    public EntryText of(PhoneNumbers regions) {
        return KeyKind.ofLabel(kind)
                .map(of -> new EntryText(
                        kind,
                        regions.withCode(of, value),
                        match,
                        feed,
                        category,
                        recipientDomain,
                        sender,
                        reason,
                        expires,
                        author,
                        authenticated))
                .orElse(this);
    }

    /// A password may be among the values.
    @Override
    public String toString() {
        return "EntryText[" + kind + "]";
    }

    /// @throws EntryRefusedException if it is not an entry of this type
    public Entry entry(Entry.Type type, Instant now) throws EntryRefusedException {
        Entry.Scope scope = type == Entry.Type.LISTING ? categoryAlone() : scope();
        Key key = type == Entry.Type.EXCEPTION ? keyOrSender() : key();
        if (key.kind().rules().takesMany() && scope.recipientDomain().isPresent()) {
            throw new EntryRefusedException("an exception of a " + key.kind().label()
                    + " is for all recipients: leave the recipient domain out");
        }
        if (key.kind() == KeyKind.PASSWORD && scope.sender().isPresent()) {
            throw new EntryRefusedException("a password is of no sender: leave the sender out");
        }
        if (!authenticated) {
            checkUnauthenticated(type, now);
        }
        return new Entry(
                type,
                key,
                matching(),
                scope,
                new Entry.Terms(
                        line("reason", reason, MAX_REASON_CHARS),
                        authorGiven(),
                        now,
                        until(now),
                        Optional.empty(),
                        authenticated));
    }

    /// Anybody can write such a sender, so it has a reason and ends soon.
    private void checkUnauthenticated(Entry.Type type, Instant now) throws EntryRefusedException {
        if (type == Entry.Type.LISTING || sender.isEmpty()) {
            throw new EntryRefusedException("only an exception of a sender can be unauthenticated: give the sender");
        }
        if (reason.isBlank()) {
            throw new EntryRefusedException("an unauthenticated exception needs a reason");
        }
        if (until(now)
                .filter(end -> !end.isAfter(now.plus(LONGEST_UNAUTHENTICATED)))
                .isEmpty()) {
            throw new EntryRefusedException("an unauthenticated exception needs an expiry of at most "
                    + LONGEST_UNAUTHENTICATED.toDays() + "d");
        }
    }

    /// The key that the value lists, as it would in a feed.
    public Key key() throws EntryRefusedException {
        KeyKind of = KeyKind.ofLabel(kind)
                .orElseThrow(() -> new EntryRefusedException("the kind is none of " + KeyKind.labels()));
        if (value.isBlank()) {
            throw new EntryRefusedException("the value is empty");
        }
        return switch (KEYS.of(of, value)) {
            case FeedKey.Taken(Key key) -> key;
            case FeedKey.Held(Key key, String reason) ->
                throw new EntryRefusedException("the value is refused: " + reason);
            case FeedKey.Rejected(String reason) ->
                throw new EntryRefusedException("the value is no " + of.label() + ": " + reason);
        };
    }

    /// The key of an exception: without a value, the name of its sender stands for everything in its mail.
    Key keyOrSender() throws EntryRefusedException {
        return kind.isEmpty() && value.isEmpty() && !sender.isEmpty() ? senderKey() : key();
    }

    public Entry.Scope scope() throws EntryRefusedException {
        return new Entry.Scope(
                feed.isEmpty() ? Optional.empty() : Optional.of(name("feed", feed)),
                category.isEmpty() ? Optional.empty() : Optional.of(name("category", category)),
                recipientDomain.isEmpty() ? Optional.empty() : Optional.of(domain()),
                sender.isEmpty() ? Optional.empty() : Optional.of(senderKey().text()));
    }

    /// A mailbox, or a domain that is not a public suffix: an operator cannot except the mail of all its
    /// registrants.
    private Key senderKey() throws EntryRefusedException {
        KeyKind of = sender.indexOf('@') < 0 ? KeyKind.DOMAIN : KeyKind.ADDRESS;
        return of(of, sender).key();
    }

    private Entry.Scope categoryAlone() throws EntryRefusedException {
        String named = category.isEmpty() ? LocalRules.LAYER : name("category", category);
        return new Entry.Scope(Optional.empty(), Optional.of(named), Optional.empty());
    }

    private static String name(String what, String name) throws EntryRefusedException {
        if (!NAME.matcher(name).matches()) {
            throw new EntryRefusedException("the " + what + " must be 1 to 64 of A-Z a-z 0-9 . _ -");
        }
        return name;
    }

    private String domain() throws EntryRefusedException {
        return DomainName.parse(recipientDomain)
                .map(DomainName::text)
                .filter(text -> text.length() <= MAX_DOMAIN_CHARS)
                .orElseThrow(() -> new EntryRefusedException("the recipient domain is not a domain"));
    }

    private Match matching() throws EntryRefusedException {
        return match.isEmpty()
                ? Match.SUFFIX
                : Match.ofLabel(match).orElseThrow(() -> new EntryRefusedException("match must be exact or suffix"));
    }

    private String authorGiven() throws EntryRefusedException {
        if (author.isBlank()) {
            throw new EntryRefusedException("the author is empty");
        }
        return line("author", author, MAX_AUTHOR_CHARS);
    }

    private static String line(String what, String text, int maxChars) throws EntryRefusedException {
        if (text.length() > maxChars || text.chars().anyMatch(Character::isISOControl)) {
            throw new EntryRefusedException("the " + what + " must be one line of at most " + maxChars + " characters");
        }
        return text.strip();
    }

    private Optional<Instant> until(Instant now) throws EntryRefusedException {
        if (expires.isEmpty()) {
            return Optional.empty();
        }
        Instant end = end(expires, now);
        if (!end.isAfter(now)) {
            throw new EntryRefusedException("it would have expired before now");
        }
        return Optional.of(end);
    }

    private static Instant end(String text, Instant now) throws EntryRefusedException {
        Matcher span = SPAN.matcher(text);
        try {
            if (span.matches()) {
                return now.plus(unit(span.group(2)).multipliedBy(Long.parseLong(span.group(1))));
            }
            return text.indexOf('T') < 0
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : Instant.parse(text);
        } catch (DateTimeException malformed) {
            throw new EntryRefusedException(
                    "the expiry must be as 30m, 12h, 7d, 4w, 2031-12-31 or" + " 2031-12-31T12:00:00Z");
        }
    }

    private static Duration unit(String letter) {
        return switch (letter) {
            case "m" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            case "d" -> Duration.ofDays(1);
            default -> Duration.ofDays(7);
        };
    }
}
