package org.bloomgate.journal;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.bloomgate.envelope.RefusedRecipient;
import org.bloomgate.filter.KeyHash;

/// What a decision can be found by. Text is compared without regard to case; of an address its domain finds it too,
/// of a URL its host.
enum SearchTerm {
    SENDER,
    RECIPIENT,
    CLIENT,
    VALUE,
    FEED,
    ACTION,
    MESSAGE_ID;

    /// Written into indexes: another one makes them void.
    private static final KeyHash HASH = new KeyHash(0x626C6F6F6D676174L);

    /// The hash of this term with this text.
    long hash(String text) {
        byte[] octets = ((char) ('a' + ordinalOf(this)) + folded(text)).getBytes(StandardCharsets.UTF_8);
        return HASH.hash(octets, 0, octets.length);
    }

    /// A number of its own for each, which stays.
    private static int ordinalOf(SearchTerm term) {
        return switch (term) {
            case SENDER -> 0;
            case RECIPIENT -> 1;
            case CLIENT -> 2;
            case VALUE -> 3;
            case FEED -> 4;
            case ACTION -> 5;
            case MESSAGE_ID -> 6;
        };
    }

    static String folded(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /// A Message-ID without its brackets and what stands around them.
    static String bare(String messageId) {
        int open = messageId.indexOf('<');
        int close = messageId.indexOf('>', open + 1);
        return open >= 0 && close > open ? messageId.substring(open + 1, close).strip() : messageId.strip();
    }

    /// What stands behind the last `@`; the whole without one.
    static String domain(String address) {
        return address.substring(address.lastIndexOf('@') + 1);
    }

    /// The host of a URL or of a key that begins with it, the domain of an address, the whole of anything else.
    static String host(String value) {
        int scheme = value.indexOf("//");
        String rest = scheme < 0 ? value : value.substring(scheme + 2);
        int slash = rest.indexOf('/');
        return domain(slash < 0 ? rest : rest.substring(0, slash));
    }

    /// The hashes of all terms of a decision; some may come twice.
    static void of(Decision decision, LongConsumer out) {
        address(SENDER, decision.mailFrom(), out);
        decision.recipients().forEach(path -> address(RECIPIENT, path, out));
        decision.refused()
                .forEach(refused ->
                        address(RECIPIENT, RefusedRecipient.of(refused).path(), out));
        out.accept(CLIENT.hash(decision.client()));
        for (Decision.Found found : decision.found()) {
            out.accept(VALUE.hash(found.value()));
            out.accept(VALUE.hash(host(found.value())));
            out.accept(VALUE.hash(found.key()));
            out.accept(FEED.hash(found.feed()));
        }
        out.accept(FEED.hash(decision.feed()));
        decision.would().keySet().forEach(feed -> out.accept(FEED.hash(feed)));
        out.accept(ACTION.hash(decision.action()));
        out.accept(ACTION.hash(decision.enforced()));
        out.accept(MESSAGE_ID.hash(bare(decision.messageId())));
    }

    private static void address(SearchTerm term, String path, LongConsumer out) {
        out.accept(term.hash(path));
        out.accept(term.hash(domain(path)));
    }
}
