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

/// Finds the identifiers in the header fields of a message and of the messages attached to it.
///
/// The addresses of an attached message have the place [Place#TEXT], because its originators did not send this
/// message.
final class HeaderFields {
    private static final String[][] NAMES_BY_LENGTH = groupByLength(
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

    /// The most tags of one signature that are read; a signature with more has the limit `dkimTags`.
    static final int MAX_TAGS = 64;

    private final KeyExtractor keys;
    private final Allowance allowance;
    private final TextLinks textLinks;
    private final TextBuffer text = new TextBuffer(256);
    private int fieldsLeft;
    private long bytesLeft;
    private boolean hasHop;
    private MessageSummary summary = MessageSummary.NONE;

    HeaderFields(KeyExtractor keys) {
        this.keys = keys;
        this.allowance = keys.allowance();
        this.textLinks = new TextLinks(keys);
        this.fieldsLeft = allowance.limits().headerFields();
        this.bytesLeft = allowance.limits().headerBytes();
    }

    /// Whether [#read(Field, boolean)] uses the field.
    ///
    /// @param needsHops whether Received fields are needed
    static boolean uses(RecycledByteArrayBuffer raw, int nameLength, boolean needsHops) {
        if (needsHops && BoundedFieldBuilder.isNamed(raw, nameLength, RECEIVED)) {
            return true;
        }
        for (String name : nameLength < NAMES_BY_LENGTH.length ? NAMES_BY_LENGTH[nameLength] : NO_NAMES) {
            if (BoundedFieldBuilder.isNamed(raw, nameLength, name)) {
                return true;
            }
        }
        return false;
    }

    private static String[][] groupByLength(String... names) {
        int longest = Stream.of(names).mapToInt(String::length).max().orElse(0);
        return IntStream.rangeClosed(0, longest)
                .mapToObj(length ->
                        Stream.of(names).filter(name -> name.length() == length).toArray(String[]::new))
                .toArray(String[][]::new);
    }

    /// Whether Received fields are needed, because the IP addresses of hops are looked up.
    boolean needsHops() {
        return keys.wants(KeyKind.NETWORK);
    }

    /// The summary of the message from the fields read so far.
    MessageSummary summary() {
        return summary;
    }

    /// Counts fields that are not read.
    void countUnread(int fields, long bytes) {
        bytesLeft -= bytes;
        if (fieldsLeft < fields || bytesLeft < 0) {
            allowance.reached(fieldsLeft < fields ? Limit.HEADER_FIELDS : Limit.HEADER_BYTES);
        }
        fieldsLeft = Math.max(0, fieldsLeft - fields);
    }

    /// Reads a field.
    ///
    /// @param isOwn true for a field of the message itself, false for one of an attached message
    void read(Field field, boolean isOwn) {
        bytesLeft -= field.getRaw().length();
        if (fieldsLeft == 0 || bytesLeft < 0) {
            allowance.reached(fieldsLeft == 0 ? Limit.HEADER_FIELDS : Limit.HEADER_BYTES);
            return;
        }
        fieldsLeft--;
        try {
            readByName(field, isOwn);
        } catch (RuntimeException | StackOverflowError e) {
            allowance.fault(e);
            char[] value = readValue(field).toCharArray();
            RawLinks.read(
                    value,
                    0,
                    value.length,
                    keys,
                    Place.RAW,
                    describeLocation("header:" + field.getNameLowerCase(), isOwn));
        }
    }

    private void readByName(Field field, boolean isOwn) {
        switch (field.getNameLowerCase()) {
            case "from" -> {
                String text = addAddresses(field, describeLocation("header:From", isOwn), isOwn);
                summary = isOwn ? summary.withFrom(text, readValue(field)) : summary;
            }
            case "sender" -> addAddresses(field, describeLocation("header:Sender", isOwn), isOwn);
            case "reply-to" -> addAddresses(field, describeLocation("header:Reply-To", isOwn), isOwn);
            case "return-path" -> addAddresses(field, describeLocation("header:Return-Path", isOwn), isOwn);
            case "subject" -> addSubject(EncodedWords.decode(readValue(field), allowance), isOwn);
            case "disposition-notification-to" ->
                addAddresses(field, describeLocation("header:Disposition-Notification-To", isOwn), isOwn);
            case "return-receipt-to" -> addAddresses(field, describeLocation("header:Return-Receipt-To", isOwn), isOwn);
            case "mail-reply-to" -> addAddresses(field, describeLocation("header:Mail-Reply-To", isOwn), isOwn);
            case "mail-followup-to" -> addAddresses(field, describeLocation("header:Mail-Followup-To", isOwn), isOwn);
            case "list-unsubscribe" -> addTargets(field, describeLocation("header:List-Unsubscribe", isOwn));
            case "list-archive" -> addTargets(field, describeLocation("header:List-Archive", isOwn));
            case "list-help" -> addTargets(field, describeLocation("header:List-Help", isOwn));
            case "list-owner" -> addTargets(field, describeLocation("header:List-Owner", isOwn));
            case "list-post" -> addTargets(field, describeLocation("header:List-Post", isOwn));
            case "list-subscribe" -> addTargets(field, describeLocation("header:List-Subscribe", isOwn));
            case "archived-at" -> addTargets(field, describeLocation("header:Archived-At", isOwn));
            case "bimi-location" ->
                readText(readValue(field), Place.TEXT, describeLocation("header:BIMI-Location", isOwn));
            case "message-id" -> {
                if (isOwn) {
                    summary = summary.withMessageId(readValue(field));
                    addMessageId(readValue(field));
                }
            }
            case "dkim-signature" -> {
                if (isOwn) {
                    addSignatureDomain(readValue(field));
                }
            }
            case RECEIVED -> {
                if (isOwn) {
                    addHop(readValue(field));
                }
            }
            default -> {}
        }
    }

    /// Returns the location of a field as people read it. A field of an attached message is part of the body.
    private static String describeLocation(String field, boolean isOwn) {
        return isOwn ? field : "attached:" + field.substring("header:".length());
    }

    /// Adds the topmost hop with a public address. The fields below it may be forged.
    private void addHop(String value) {
        if (!hasHop && needsHops()) {
            Optional<AddressBlock> hop =
                    ReceivedHop.findAddress(value).map(AddressBlock::of).filter(AddressBlock::isGlobal);
            hop.ifPresent(address -> keys.network(address, Place.RECEIVED, "header:Received"));
            hasHop = hop.isPresent();
        }
    }

    /// Adds the mailboxes by the grammar, then everything else that looks like an address: in a display
    /// name, or where the syntax is broken.
    ///
    /// @return the decoded field
    private String addAddresses(Field field, String where, boolean isOwn) {
        Place place = isOwn ? Place.ORIGINATOR : Place.TEXT;
        String value = readValue(field);
        for (String address : MailboxList.parseAddresses(value, allowance)) {
            keys.address(address, place, where);
        }
        String decoded = EncodedWords.decode(value, allowance);
        readText(decoded, place, where);
        return decoded;
    }

    private void addSubject(String value, boolean isOwn) {
        summary = isOwn ? summary.withSubject(value) : summary;
        keys.visibleText(value);
        readText(value, Place.TEXT, describeLocation("header:Subject", isOwn));
    }

    private void readText(String value, Place addresses, String where) {
        text.clear();
        text.append(value);
        textLinks.read(text, TextPlaces.field(addresses, where));
    }

    /// Adds the URLs in angle brackets (RFC 2369 and 5064), or any URL if there are no brackets.
    private void addTargets(Field field, String where) {
        String value = EncodedWords.decode(readValue(field), allowance);
        int open = value.indexOf('<');
        if (open < 0) {
            readText(value, Place.LINK, where);
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

    private void addMessageId(String value) {
        int at = value.lastIndexOf('@');
        int end = value.indexOf('>', at);
        if (at >= 0) {
            String domain = value.substring(at + 1, end < 0 ? value.length() : end);
            keys.domain(domain.strip(), Place.MESSAGE_ID, "header:Message-ID");
        }
    }

    /// Adds the domain in the `d=` tag of a signature (RFC 6376 3.5).
    private void addSignatureDomain(String value) {
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

    /// The body of the field, unfolded and read as UTF-8 (RFC 6532).
    private static String readValue(Field field) {
        ByteSequence raw = field.getRaw();
        byte[] bytes = raw.toByteArray();
        int from = 0;
        while (from < bytes.length && bytes[from] != ':') {
            from++;
        }
        int length = from;
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] != '\r' && bytes[i] != '\n') {
                bytes[length++] = bytes[i];
            }
        }
        int start = Math.min(from + 1, length);
        return new String(bytes, start, length - start, StandardCharsets.UTF_8);
    }
}
