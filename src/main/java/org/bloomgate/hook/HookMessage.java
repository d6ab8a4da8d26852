package org.bloomgate.hook;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.transit.MarkedSubject;
import org.bloomgate.transit.TagFields;

/// A message that a mail server holds: its octets as they are judged, without the fields that look like this gateway's
/// own, and where in its header stands what the mail server is told to edit. A line of the header without a colon is no
/// field. Used by one thread.
public final class HookMessage {
    /// Fields of one message that look like our own. Each is an edit, and no honest mail has any.
    public static final int MAX_FORGED = 900;

    private static final String SUBJECT = "Subject";

    private final byte[] whole;
    private final ByteArrayOutputStream judged = new ByteArrayOutputStream();
    private final List<Place> forged = new ArrayList<>();
    private final Map<String, Integer> ofName = new HashMap<>();
    private Optional<Subject> subject = Optional.empty();
    private int fields;
    private int forgedFields;

    /// A field of the message as the mail server holds it.
    ///
    /// @param index among all fields, from 0
    /// @param ofName among those of its name, from 1
    record Place(int index, String name, int ofName) {}

    /// @param value one octet a character, folds included
    private record Subject(Place place, String value) {}

    /// A field and what is to stand behind its colon, in one line.
    record Change(Place place, String value) {}

    HookMessage(byte[] message) {
        whole = message;
        int at = 0;
        while (at < whole.length && !isLineEnd(at)) {
            at = field(at);
        }
        judged.write(whole, at, whole.length - at);
    }

    private boolean isLineEnd(int at) {
        return whole[at] == '\n' || (whole[at] == '\r' && at + 1 < whole.length && whole[at + 1] == '\n');
    }

    /// Takes one field with its continuation lines.
    ///
    /// @return where the next line begins
    private int field(int from) {
        int end = nextLine(from);
        while (end < whole.length && (whole[end] == ' ' || whole[end] == '\t')) {
            end = nextLine(end);
        }
        int colon = from;
        while (colon < end && whole[colon] != ':' && whole[colon] != '\n') {
            colon++;
        }
        if (colon == end || whole[colon] == '\n') {
            judged.write(whole, from, end - from);
            return end;
        }
        String name = text(from, colon).stripTrailing();
        Place place = new Place(fields++, name, ofName.merge(name.toLowerCase(Locale.ROOT), 1, Integer::sum));
        if (TagFields.forged(name)) {
            forge(place);
            return end;
        }
        if (subject.isEmpty() && name.equalsIgnoreCase(SUBJECT)) {
            subject = Optional.of(new Subject(place, text(colon + 1, end)));
        }
        judged.write(whole, from, end - from);
        return end;
    }

    private void forge(Place place) {
        if (++forgedFields <= MAX_FORGED) {
            forged.add(place);
        }
    }

    private int nextLine(int from) {
        int at = from;
        while (at < whole.length && whole[at] != '\n') {
            at++;
        }
        return Math.min(at + 1, whole.length);
    }

    private String text(int from, int to) {
        return new String(whole, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /// The octets that are judged.
    InputStream open() {
        return new ByteArrayInputStream(judged.toByteArray());
    }

    int sizeBytes() {
        return judged.size();
    }

    /// Fields that look like our own, in order.
    List<Place> forged() {
        return List.copyOf(forged);
    }

    boolean hasTooManyForged() {
        return forgedFields > MAX_FORGED;
    }

    /// Whether there is a subject to put something before.
    boolean hasSubject() {
        return subject.isPresent();
    }

    /// The subject with the prefix before it, unless it has it already.
    Optional<Change> marked(String prefix) {
        return subject.flatMap(found -> {
            String value = MarkedSubject.value(found.value().stripTrailing(), prefix);
            return value.equals(found.value().stripTrailing())
                    ? Optional.empty()
                    : Optional.of(new Change(found.place(), inJson(value)));
        });
    }

    /// Unfolded (RFC 5322 2.2.3), as UTF-8 if it is that, and as Latin-1 otherwise.
    private static String inJson(String octets) {
        String line = octets.replaceAll("[\r\n]", "").strip();
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException other) {
            return line;
        }
    }
}
