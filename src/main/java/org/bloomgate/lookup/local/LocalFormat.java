package org.bloomgate.lookup.local;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.lookup.tier.Entry;

/// The format of the file of local entries: a first line `bloomgate-local 1 SHA-256-OF-THE-REST`, then one
/// [EntryText] as JSON per line. Every line ends with LF. The digest detects truncation and bit errors.
final class LocalFormat {
    static final String MAGIC = "bloomgate-local ";
    static final int VERSION = 1;

    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .defaultSetterInfo(JsonSetter.Value.construct(Nulls.AS_EMPTY, Nulls.FAIL))
            .build();

    private LocalFormat() {}

    static byte[] write(LocalEntries entries) {
        byte[] body = writeLines(entries.all().stream().map(EntryText::of));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(createFirstLine(body));
        whole.writeBytes(body);
        return whole.toByteArray();
    }

    static byte[] writeLines(Stream<EntryText> entries) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        entries.forEach(entry -> write(entry, lines));
        return lines.toByteArray();
    }

    private static void write(EntryText entry, ByteArrayOutputStream lines) {
        try {
            lines.writeBytes(JSON.writeValueAsBytes(entry));
            lines.write('\n');
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] createFirstLine(byte[] body) {
        String line = MAGIC + VERSION + " " + Sha256.hex(body) + "\n";
        return line.getBytes(StandardCharsets.US_ASCII);
    }

    /// @param file named in the exception
    static LocalEntries read(byte[] bytes, Path file) throws DamagedFileException {
        int firstEnd = 0;
        while (firstEnd < bytes.length && bytes[firstEnd] != '\n') {
            firstEnd++;
        }
        byte[] body = Arrays.copyOfRange(bytes, Math.min(firstEnd + 1, bytes.length), bytes.length);
        if (!Arrays.equals(createFirstLine(body), Arrays.copyOf(bytes, Math.min(firstEnd + 1, bytes.length)))) {
            throw new DamagedFileException(file, describeDamage(bytes));
        }
        return readBody(new String(body, StandardCharsets.UTF_8), file);
    }

    private static String describeDamage(byte[] bytes) {
        String head = new String(bytes, 0, Math.min(bytes.length, 64), StandardCharsets.ISO_8859_1);
        if (!head.startsWith(MAGIC)) {
            return "line 1: not a file of local entries";
        }
        return head.startsWith(MAGIC + VERSION + " ")
                ? "damaged or edited by hand: its SHA-256 is not that of line 1"
                : "line 1: written by another version of bloomgate";
    }

    /// @throws IllegalArgumentException when it is the word `null`
    static EntryText parseLine(String json) throws JsonProcessingException {
        return Optional.ofNullable(JSON.readValue(json, EntryText.class))
                .orElseThrow(() -> new IllegalArgumentException("null"));
    }

    private static LocalEntries readBody(String body, Path file) throws DamagedFileException {
        List<Entry> parsedEntries = new ArrayList<>();
        int number = 1;
        for (String line : body.lines().toList()) {
            number++;
            try {
                parsedEntries.add(parseLine(line).entry());
            } catch (JsonProcessingException | IllegalArgumentException | DateTimeException e) {
                throw new DamagedFileException(file, "line " + number + ": not an entry");
            }
        }
        LocalEntries entries = new LocalEntries(parsedEntries);
        List<Entry> listings = entries.of(Entry.Type.LISTING);
        if (listings.stream().map(Entry::key).distinct().count() < listings.size()) {
            throw new DamagedFileException(file, "a key is listed twice");
        }
        return entries;
    }
}
