package org.bloomgate.content.mime;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;

/// What was found in one message.
record ReadMessage(List<Identifier> identifiers, Set<String> limits, int keys) {
    /// On a clock that stands still: what ends a reading is the work it took, on a busy machine too.
    private static final MessageReader READER = new MessageReader(MessageLimits.defaults());

    private static final Set<KeyKind> WITHOUT_WORDS = EnumSet.complementOf(EnumSet.of(KeyKind.KEYWORD));

    private static final Set<KeyKind> ALL_KINDS = EnumSet.allOf(KeyKind.class);

    static ReadMessage of(byte[] message) {
        return of(message, READER);
    }

    static ReadMessage of(byte[] message, MessageReader reader) {
        KeyBatch batch = new KeyBatch();
        try {
            Inspection inspection = reader.read(
                    new ByteArrayInputStream(message),
                    PublicSuffixes.bundled(),
                    WITHOUT_WORDS,
                    batch,
                    reader.createAllowance());
            return new ReadMessage(
                    List.copyOf(batch.identifiers()), Set.copyOf(Limit.labels(inspection.limits())), batch.size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            batch.clear();
        }
    }

    /// The same, and whatever was thrown on the way is a failure of the test.
    static ReadMessage withoutFault(byte[] message) {
        KeyBatch batch = new KeyBatch();
        try {
            Inspection inspection = READER.read(
                    new ByteArrayInputStream(message),
                    PublicSuffixes.bundled(),
                    ALL_KINDS,
                    batch,
                    READER.createAllowance());
            inspection.fault().ifPresent(fault -> {
                throw new AssertionError(fault);
            });
            return new ReadMessage(
                    List.copyOf(batch.identifiers()), Set.copyOf(Limit.labels(inspection.limits())), batch.size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            batch.clear();
        }
    }

    static ReadMessage html(String body) {
        return of(("Content-Type: text/html; charset=utf-8\r\n\r\n" + body).getBytes(StandardCharsets.UTF_8));
    }

    static ReadMessage text(String body) {
        return of(("Content-Type: text/plain; charset=utf-8\r\n\r\n" + body).getBytes(StandardCharsets.UTF_8));
    }

    /// Fields and an empty body.
    static ReadMessage header(String fields) {
        return of((fields.replace("\n", "\r\n") + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
    }

    boolean holds(Place place, String hostOrAddress) {
        return identifiers.stream().anyMatch(found -> found.place() == place && isOf(found, hostOrAddress));
    }

    boolean holds(String hostOrAddress) {
        return identifiers.stream().anyMatch(found -> isOf(found, hostOrAddress));
    }

    private static boolean isOf(Identifier found, String hostOrAddress) {
        return found.value().equals(hostOrAddress) || host(found).equals(hostOrAddress);
    }

    private static String host(Identifier found) {
        String value = found.value();
        if (found.kind() == KeyKind.URL) {
            int start = value.indexOf("://") + 3;
            int end = value.indexOf('/', start);
            return value.substring(start, end < 0 ? value.length() : end);
        }
        return value.substring(value.lastIndexOf('@') + 1);
    }

    /// Holds or not, as one line of a table asks: a place, a place with `-` before it, or NONE.
    boolean agrees(String place, String hostOrAddress) {
        if (place.equals("NONE")) {
            return !holds(hostOrAddress);
        }
        return place.startsWith("-")
                ? !holds(Place.valueOf(place.substring(1)), hostOrAddress)
                : holds(Place.valueOf(place), hostOrAddress);
    }
}
