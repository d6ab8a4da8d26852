package org.bloomgate.decision.journal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.bloomgate.base.io.BoundedRecords;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.base.net.Network;

/// The lines of a file of the journal, each with its line end and the network of its client. A line that is torn, or
/// longer than any decision, is passed on in parts with the network `""`.
final class DayFileRecords implements BoundedRecords.Format<String> {
    /// Far above the bounds of a decision.
    private static final int READ_BYTES = 1 << 18;

    /// Time and token come before the client, which is an address or a word.
    private static final int MAX_CLIENT_END = 200;

    private static final String CLIENT = "\"client\":\"";

    @Override
    public void read(Path file, BoundedRecords.Visitor<String> visitor) throws IOException {
        byte[] buffer = new byte[READ_BYTES];
        int filled = 0;
        try (InputStream in = Channels.newInputStream(StateFile.open(file, DayFile.MAX_BYTES))) {
            for (int count = in.readNBytes(buffer, 0, READ_BYTES);
                    count > 0;
                    count = in.readNBytes(buffer, filled, READ_BYTES - filled)) {
                filled += count;
                int start = 0;
                for (int i = 0; i < filled; i++) {
                    if (buffer[i] == '\n') {
                        visitor.record(network(buffer, start, i), ByteBuffer.wrap(buffer, start, i + 1 - start));
                        start = i + 1;
                    }
                }
                if (start == 0) {
                    visitor.record("", ByteBuffer.wrap(buffer, 0, filled));
                    start = filled;
                }
                filled -= start;
                System.arraycopy(buffer, start, buffer, 0, filled);
            }
            if (filled > 0) {
                visitor.record("", ByteBuffer.wrap(buffer, 0, filled));
            }
        } catch (NoSuchFileException prunedMeanwhile) {
            return;
        }
    }

    private static String network(byte[] line, int from, int to) {
        String start = new String(line, from, Math.min(to - from, MAX_CLIENT_END), StandardCharsets.ISO_8859_1);
        int at = start.indexOf(CLIENT);
        int end = at < 0 ? -1 : start.indexOf('"', at + CLIENT.length());
        return end < 0 ? "" : Network.ofClient(start.substring(at + CLIENT.length(), end));
    }

    @Override
    public String describe(String network) {
        return network.isEmpty() ? "unknown clients" : network;
    }
}
