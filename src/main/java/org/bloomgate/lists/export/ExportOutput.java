package org.bloomgate.lists.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.bloomgate.base.io.OwnJson;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.Listing;

/// Writes the lines of an export in its format. Not thread-safe.
final class ExportOutput implements AutoCloseable {
    /// The most records of a response policy zone: resolvers hold them in memory.
    static final int MAX_RECORDS = 5_000_000;

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final ObjectWriter JSON = OwnJson.MAPPER.writerFor(ListingLine.class);

    private final String name;
    private final ExportFormat format;
    private final long serial;
    private final int maxRecords;
    private final OutputStream out;
    private long lines;

    /// A line of JSON.
    ///
    /// @param match empty for kinds without one
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record ListingLine(
            String kind, String value, String match, String feed, String category, String firstSeen, String lastSeen) {
        static ListingLine of(Listing listing) {
            KeyKind kind = listing.key().kind();
            return new ListingLine(
                    kind.label(),
                    listing.key().text(),
                    kind.rules().hasUses() ? listing.match().label() : "",
                    listing.feed(),
                    listing.category(),
                    listing.firstSeen().toString(),
                    listing.lastSeen().toString());
        }
    }

    /// @param serial of a response policy zone
    ExportOutput(String name, ExportFormat format, long serial, OutputStream out) {
        this(name, format, serial, MAX_RECORDS, out);
    }

    ExportOutput(String name, ExportFormat format, long serial, int maxRecords, OutputStream out) {
        this.name = name;
        this.format = format;
        this.serial = serial;
        this.maxRecords = maxRecords;
        this.out = new BufferedOutputStream(out, BUFFER_BYTES);
    }

    /// The number of lines of entries so far.
    long lines() {
        return lines;
    }

    int maxRecords() {
        return maxRecords;
    }

    /// @param attributions by feed
    void begin(Map<String, String> attributions) throws IOException {
        if (format == ExportFormat.RPZ) {
            write(ZoneSerial.before(name) + ZoneSerial.text(serial) + " 3600 600 604800 60\n@ NS localhost.\n");
        }
        for (Map.Entry<String, String> attribution : attributions.entrySet()) {
            write(format.comment() + attribution.getKey() + ": "
                    + attribution.getValue().replaceAll("[^ -~]", "?") + "\n");
        }
    }

    void writeName(String text, RpzAction action, RpzAction subdomainAction) throws IOException {
        switch (format) {
            case RPZ -> {
                writeRecord(text, action);
                writeRecord("*." + text, subdomainAction);
            }
            case TXT -> {
                if (action.blocks() || subdomainAction.blocks()) {
                    writeLine((!subdomainAction.blocks() ? "" : action.blocks() ? "." : "*.") + text);
                }
            }
            case HOSTS -> {
                if (action.blocks()) {
                    writeLine("0.0.0.0 " + text);
                }
            }
            case NGINX, JSONL -> throw new IllegalStateException("no names in " + format);
        }
    }

    void writeNetwork(AddressBlock block, RpzAction action) throws IOException {
        switch (format) {
            case RPZ -> writeRecord(toTriggerName(block), action);
            case NGINX -> writeLine("deny " + block + ";");
            case TXT -> writeLine(block.toString());
            case HOSTS, JSONL -> throw new IllegalStateException("no networks in " + format);
        }
    }

    void writeValue(String text) throws IOException {
        writeLine(text);
    }

    void writeJson(Listing listing) throws IOException {
        writeLine(JSON.writeValueAsString(ListingLine.of(listing)));
    }

    private void writeRecord(String owner, RpzAction action) throws IOException {
        if (!action.equals(RpzAction.NONE)) {
            if (lines == maxRecords) {
                throw new IOException(
                        "a response policy zone has at most %,d records; name fewer lists".formatted(maxRecords));
            }
            writeLine(owner + " CNAME " + action.record());
        }
    }

    /// The owner name for a network: its length, then its address in reverse order. In an IPv6 address, the
    /// first of the longest runs of two or more zero groups is `zz`.
    static String toTriggerName(AddressBlock block) {
        StringBuilder name = new StringBuilder().append(block.bits());
        String[] parts = block.address().split(block.isIpv4() ? "\\." : ":", -1);
        boolean zeros = false;
        for (int i = parts.length - 1; i >= 0; i--) {
            if (!parts[i].isEmpty()) {
                name.append('.').append(parts[i]);
            } else if (!zeros) {
                name.append(".zz");
                zeros = true;
            }
        }
        return name.append(".rpz-ip").toString();
    }

    private void writeLine(String text) throws IOException {
        lines++;
        write(text + "\n");
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(UTF_8));
    }

    void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
