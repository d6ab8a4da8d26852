package org.bloomgate.lookup.local;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.config.Labelled;
import org.bloomgate.core.key.FeedKey;
import org.bloomgate.core.key.FeedKeys;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.url.DomainName;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.LocalRules;

/// The rules for an entry that an operator typed or sent: each method checks its part of the text and returns it in
/// canonical form.
public final class EntryParser {
    private static final int MAX_REASON_CHARS = 500;
    private static final int MAX_AUTHOR_CHARS = 100;
    private static final int MAX_DOMAIN_CHARS = 255;

    /// The longest duration of an exception that anyone can use by writing its sender.
    static final Duration LONGEST_UNAUTHENTICATED = Duration.ofDays(90);

    /// The syntax of the names of feeds and categories.
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private static final Pattern SPAN = Pattern.compile("([0-9]{1,6})([mhdw])");
    private static final FeedKeys KEYS = new FeedKeys(PublicSuffixes.bundled());

    private EntryParser() {}

    /// @throws EntryRefusedException if the text is not an entry of this type
    public static Entry parse(EntryText text, Entry.Type type, Instant now) throws EntryRefusedException {
        Entry.Scope scope = type == Entry.Type.LISTING ? categoryOnly(text) : scope(text);
        Key key = type == Entry.Type.EXCEPTION ? keyOrSender(text) : key(text);
        if (key.kind().rules().takesMany() && scope.recipientDomain().isPresent()) {
            throw new EntryRefusedException("an exception of a " + key.kind().label()
                    + " is for all recipients: leave the recipient domain out");
        }
        if (key.kind() == KeyKind.PASSWORD && scope.sender().isPresent()) {
            throw new EntryRefusedException("a password is of no sender: leave the sender out");
        }
        if (!text.isAuthenticated()) {
            checkUnauthenticated(text, type, now);
        }
        Entry.Terms terms = new Entry.Terms(
                line(text, Field.REASON, MAX_REASON_CHARS),
                author(text),
                now,
                end(text, now),
                Optional.empty(),
                text.isAuthenticated(),
                action(text));
        return new Entry(type, key, match(text, key), scope, terms);
    }

    /// Anyone can write such a sender, so the exception has a reason and ends soon.
    private static void checkUnauthenticated(EntryText text, Entry.Type type, Instant now)
            throws EntryRefusedException {
        if (type == Entry.Type.LISTING || text.find(Field.SENDER).isEmpty()) {
            throw new EntryRefusedException("only an exception of a sender can be unauthenticated: give the sender");
        }
        if (text.get(Field.REASON).isBlank()) {
            throw new EntryRefusedException("an unauthenticated exception needs a reason");
        }
        if (end(text, now)
                .filter(end -> !end.isAfter(now.plus(LONGEST_UNAUTHENTICATED)))
                .isEmpty()) {
            throw new EntryRefusedException("an unauthenticated exception needs an expiry of at most "
                    + LONGEST_UNAUTHENTICATED.toDays() + "d");
        }
    }

    /// The key that the value lists, as it would in a feed.
    public static Key key(EntryText text) throws EntryRefusedException {
        KeyKind kind = KeyKind.ofLabel(text.get(Field.KIND))
                .orElseThrow(() -> new EntryRefusedException("the kind is none of " + KeyKind.labels()));
        if (text.get(Field.VALUE).isBlank()) {
            throw new EntryRefusedException("the value is empty");
        }
        return key(kind, text.get(Field.VALUE));
    }

    private static Key key(KeyKind kind, String value) throws EntryRefusedException {
        return switch (KEYS.of(kind, value)) {
            case FeedKey.Taken(Key key) -> key;
            case FeedKey.Held(Key key, String reason) ->
                throw new EntryRefusedException("the value is refused: " + reason);
            case FeedKey.Rejected(String reason) ->
                throw new EntryRefusedException("the value is no " + kind.label() + ": " + reason);
        };
    }

    /// The key of an exception. Without a value it is that of the sender, for all listings in its messages.
    static Key keyOrSender(EntryText text) throws EntryRefusedException {
        boolean senderOnly = text.find(Field.SENDER).isPresent()
                && text.find(Field.KIND).isEmpty()
                && text.find(Field.VALUE).isEmpty();
        return senderOnly ? sender(text.get(Field.SENDER)) : key(text);
    }

    static Entry.Scope scope(EntryText text) throws EntryRefusedException {
        Optional<String> domain = text.find(Field.RECIPIENT_DOMAIN);
        Optional<String> sender = text.find(Field.SENDER);
        return new Entry.Scope(
                name(text, Field.FEED),
                name(text, Field.CATEGORY),
                domain.isPresent() ? Optional.of(domain(domain.get())) : Optional.empty(),
                sender.isPresent() ? Optional.of(sender(sender.get()).text()) : Optional.empty());
    }

    /// A mailbox, or a domain that is not a public suffix: an operator cannot except the mail of all its
    /// registrants.
    private static Key sender(String sender) throws EntryRefusedException {
        return key(sender.indexOf('@') < 0 ? KeyKind.DOMAIN : KeyKind.ADDRESS, sender);
    }

    private static Entry.Scope categoryOnly(EntryText text) throws EntryRefusedException {
        String category = name(text, Field.CATEGORY).orElse(LocalRules.LAYER);
        return new Entry.Scope(Optional.empty(), Optional.of(category), Optional.empty());
    }

    private static Optional<String> name(EntryText text, Field field) throws EntryRefusedException {
        Optional<String> name = text.find(field);
        if (name.isPresent() && !NAME.matcher(name.get()).matches()) {
            throw new EntryRefusedException("the " + field.label() + " must be 1 to 64 of A-Z a-z 0-9 . _ -");
        }
        return name;
    }

    private static String domain(String domain) throws EntryRefusedException {
        return DomainName.parse(domain)
                .map(DomainName::text)
                .filter(name -> name.length() <= MAX_DOMAIN_CHARS)
                .orElseThrow(() -> new EntryRefusedException("the recipient domain is not a domain"));
    }

    private static Match match(EntryText text, Key key) throws EntryRefusedException {
        Optional<String> label = text.find(Field.MATCH);
        Match match = label.isEmpty()
                ? Match.SUFFIX
                : Labelled.find(Match.class, label.get())
                        .orElseThrow(() -> new EntryRefusedException("match must be exact, below or suffix"));
        if (match == Match.BELOW && key.kind() != KeyKind.DOMAIN) {
            throw new EntryRefusedException("only a domain can have match below");
        }
        return match;
    }

    private static Optional<Action> action(EntryText text) throws EntryRefusedException {
        Optional<Action> action = text.find(Field.ACTION).flatMap(label -> Labelled.find(Action.class, label));
        if (action.isEmpty() != text.find(Field.ACTION).isEmpty()
                || action.orElse(Action.TAG).isHarderThan(Action.QUARANTINE)) {
            throw new EntryRefusedException("the action must be tag or quarantine");
        }
        return action;
    }

    private static String author(EntryText text) throws EntryRefusedException {
        if (text.get(Field.AUTHOR).isBlank()) {
            throw new EntryRefusedException("the author is empty");
        }
        return line(text, Field.AUTHOR, MAX_AUTHOR_CHARS);
    }

    private static String line(EntryText text, Field field, int maxChars) throws EntryRefusedException {
        String line = text.get(field);
        if (line.length() > maxChars || line.chars().anyMatch(Character::isISOControl)) {
            throw new EntryRefusedException(
                    "the " + field.label() + " must be one line of at most " + maxChars + " characters");
        }
        return line.strip();
    }

    private static Optional<Instant> end(EntryText text, Instant now) throws EntryRefusedException {
        Optional<String> expires = text.find(Field.EXPIRES);
        if (expires.isEmpty()) {
            return Optional.empty();
        }
        Instant end = end(expires.get(), now);
        if (!end.isAfter(now)) {
            throw new EntryRefusedException("it would have expired before now");
        }
        return Optional.of(end);
    }

    private static Instant end(String expires, Instant now) throws EntryRefusedException {
        Matcher span = SPAN.matcher(expires);
        try {
            if (span.matches()) {
                return now.plus(unit(span.group(2)).multipliedBy(Long.parseLong(span.group(1))));
            }
            return expires.indexOf('T') < 0
                    ? LocalDate.parse(expires).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : Instant.parse(expires);
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
