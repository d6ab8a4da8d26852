package org.bloomgate.content.mime;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.util.ByteSequence;
import org.apache.james.mime4j.util.RecycledByteArrayBuffer;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.content.links.KeyExtractor;
import org.bloomgate.content.links.MessageSummary;
import org.bloomgate.content.links.RawLinks;
import org.bloomgate.content.links.TextLinks;
import org.bloomgate.content.links.TextPlaces;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.text.TextScan;

/// Identifiers in the header fields of a message and of the messages attached to it.
///
/// Addresses of an attached message stand at [Place#TEXT]: its originators did not send this one.
final class HeaderFields {
    private static final String[][] NAMES_BY_LENGTH = byLength(
            "from",
            "sender",
            "reply-to",
            "return-path",
            "subject",
            "list-unsubscribe",
            "list-archive",
            "list-help",
            "list-owner",
            "list-post",
            "list-subscribe",
            "archived-at",
            "bimi-location",
            "disposition-notification-to",
            "return-receipt-to",
            "mail-reply-to",
            "mail-followup-to",
            "message-id",
            "dkim-signature");
    private static final String[] NO_NAMES = {};
    private static final String RECEIVED = "received";

    /// The tags of one signature: the limit `dkimTags`. Everything after them counts as one more tag.
    static final int MAX_TAGS = 64;

    private final KeyExtractor keys;
    private final Allowance allowance;
    private final TextLinks textLinks;
    private final TextBuffer text = new TextBuffer(256);
    private int fieldsLeft;
    private long bytesLeft;
    private boolean hopFound;
    private MessageSummary heading = MessageSummary.NONE;

    HeaderFields(KeyExtractor keys) {
        this.keys = keys;
        this.allowance = keys.allowance();
        this.textLinks = new TextLinks(keys);
        this.fieldsLeft = allowance.limits().headerFields();
        this.bytesLeft = allowance.limits().headerBytes();
    }

    /// True for the fields that [#read(Field, boolean)] takes something from.
    ///
    /// @param hops false if the origin of the message is not needed
    static boolean reads(RecycledByteArrayBuffer raw, int nameLength, boolean hops) {
        if (hops && BoundedFieldBuilder.isNamed(raw, nameLength, RECEIVED)) {
            return true;
        }
        for (String name : nameLength < NAMES_BY_LENGTH.length ? NAMES_BY_LENGTH[nameLength] : NO_NAMES) {
            if (BoundedFieldBuilder.isNamed(raw, nameLength, name)) {
                return true;
            }
        }
        return false;
    }

    private static String[][] byLength(String... names) {
        int longest = Stream.of(names).mapToInt(String::length).max().orElse(0);
        return IntStream.rangeClosed(0, longest)
                .mapToObj(length ->
                        Stream.of(names).filter(name -> name.length() == length).toArray(String[]::new))
                .toArray(String[][]::new);
    }

    /// True if the origin of the message is needed.
    boolean wantsHops() {
        return keys.wants(KeyKind.NETWORK);
    }

    /// The summary of the message as read so far.
    MessageSummary heading() {
        return heading;
    }

    /// Counts fields that are not read.
    void pass(int fields, long bytes) {
        bytesLeft -= bytes;
        if (fieldsLeft < fields || bytesLeft < 0) {
            allowance.reached(fieldsLeft < fields ? Limit.HEADER_FIELDS : Limit.HEADER_BYTES);
        }
        fieldsLeft = Math.max(0, fieldsLeft - fields);
    }

    /// @param own true for a field of the message itself, false for one of a message attached
    void read(Field field, boolean own) {
        bytesLeft -= field.getRaw().length();
        if (fieldsLeft == 0 || bytesLeft < 0) {
            allowance.reached(fieldsLeft == 0 ? Limit.HEADER_FIELDS : Limit.HEADER_BYTES);
            return;
        }
        fieldsLeft--;
        try {
            take(field, own);
        } catch (RuntimeException | StackOverflowError thrown) {
            allowance.fault(thrown);
            char[] value = value(field).toCharArray();
            RawLinks.read(value, 0, value.length, keys, Place.RAW, where("header:" + field.getNameLowerCase(), own));
        }
    }

    private void take(Field field, boolean own) {
        switch (field.getNameLowerCase()) {
            case "from" -> {
                String text = addresses(field, where("header:From", own), own);
                heading = own ? heading.withFrom(text, value(field)) : heading;
            }
            case "sender" -> addresses(field, where("header:Sender", own), own);
            case "reply-to" -> addresses(field, where("header:Reply-To", own), own);
            case "return-path" -> addresses(field, where("header:Return-Path", own), own);
            case "subject" -> subject(EncodedWords.decode(value(field), allowance), own);
            case "disposition-notification-to" ->
                addresses(field, where("header:Disposition-Notification-To", own), own);
            case "return-receipt-to" -> addresses(field, where("header:Return-Receipt-To", own), own);
            case "mail-reply-to" -> addresses(field, where("header:Mail-Reply-To", own), own);
            case "mail-followup-to" -> addresses(field, where("header:Mail-Followup-To", own), own);
            case "list-unsubscribe" -> targets(field, where("header:List-Unsubscribe", own));
            case "list-archive" -> targets(field, where("header:List-Archive", own));
            case "list-help" -> targets(field, where("header:List-Help", own));
            case "list-owner" -> targets(field, where("header:List-Owner", own));
            case "list-post" -> targets(field, where("header:List-Post", own));
            case "list-subscribe" -> targets(field, where("header:List-Subscribe", own));
            case "archived-at" -> targets(field, where("header:Archived-At", own));
            case "bimi-location" -> text(value(field), Place.TEXT, where("header:BIMI-Location", own));
            case "message-id" -> {
                if (own) {
                    heading = heading.withMessageId(value(field));
                    messageId(value(field));
                }
            }
            case "dkim-signature" -> {
                if (own) {
                    signature(value(field));
                }
            }
            case RECEIVED -> {
                if (own) {
                    hop(value(field));
                }
            }
            default -> {}
        }
    }

    /// A field of an attached message is part of the body.
    private static String where(String field, boolean own) {
        return own ? field : "attached:" + field.substring("header:".length());
    }

    /// Records the topmost hop outside this site's network. Anyone may have made up the fields below it.
    private void hop(String value) {
        if (!hopFound && wantsHops()) {
            Optional<AddressBlock> hop =
                    ReceivedHop.of(value).map(AddressBlock::of).filter(AddressBlock::isGlobal);
            hop.ifPresent(address -> keys.network(address, Place.RECEIVED, "header:Received"));
            hopFound = hop.isPresent();
        }
    }

    /// The mailboxes by grammar, then whatever else looks like an address: in a display name, or where the syntax is
    /// broken.
    ///
    /// @return the field decoded
    private String addresses(Field field, String where, boolean own) {
        Place place = own ? Place.ORIGINATOR : Place.TEXT;
        String value = value(field);
        for (String address : MailboxList.addresses(value, allowance)) {
            keys.address(address, place, where);
        }
        String decoded = EncodedWords.decode(value, allowance);
        text(decoded, place, where);
        return decoded;
    }

    private void subject(String value, boolean own) {
        heading = own ? heading.withSubject(value) : heading;
        keys.shown(value);
        text(value, Place.TEXT, where("header:Subject", own));
    }

    private void text(String value, Place addresses, String where) {
        text.clear();
        text.append(value);
        textLinks.read(text, TextPlaces.field(addresses, where));
    }

    /// RFC 2369 and 5064: URLs in angle brackets. Without brackets any URL counts.
    private void targets(Field field, String where) {
        String value = EncodedWords.decode(value(field), allowance);
        int open = value.indexOf('<');
        if (open < 0) {
            text(value, Place.LINK, where);
        }
        while (open >= 0) {
            int close = value.indexOf('>', open);
            String target =
                    TextScan.without(value.substring(open + 1, close < 0 ? value.length() : close), TextScan::isBlank);
            if (target.regionMatches(true, 0, "mailto:", 0, 7)) {
                keys.address(target, Place.LINK, where);
            } else {
                keys.url(target, Place.LINK, where);
            }
            open = close < 0 ? -1 : value.indexOf('<', close);
        }
    }

    private void messageId(String value) {
        int at = value.lastIndexOf('@');
        int end = value.indexOf('>', at);
        if (at >= 0) {
            String domain = value.substring(at + 1, end < 0 ? value.length() : end);
            keys.domain(domain.strip(), Place.MESSAGE_ID, "header:Message-ID");
        }
    }

    /// The `d=` tag of a signature (RFC 6376 3.5).
    private void signature(String value) {
        List<String> tags = TextScan.split(value, c -> c == ';', MAX_TAGS + 1);
        if (tags.size() > MAX_TAGS) {
            allowance.reached(Limit.DKIM_TAGS);
        }
        for (String tag : tags) {
            int equals = tag.indexOf('=');
            if (equals > 0 && tag.substring(0, equals).strip().equals("d")) {
                keys.domain(
                        TextScan.without(tag.substring(equals + 1), TextScan::isBlank),
                        Place.DKIM,
                        "header:DKIM-Signature");
            }
        }
    }

    /// The field's body unfolded, its bytes read as UTF-8 (RFC 6532).
    private static String value(Field field) {
        ByteSequence raw = field.getRaw();
        byte[] bytes = raw.toByteArray();
        int from = 0;
        while (from < bytes.length && bytes[from] != ':') {
            from++;
        }
        int kept = from;
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] != '\r' && bytes[i] != '\n') {
                bytes[kept++] = bytes[i];
            }
        }
        int start = Math.min(from + 1, kept);
        return new String(bytes, start, kept - start, StandardCharsets.UTF_8);
    }
}
