package org.bloomgate.content.document;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.bloomgate.content.archive.CompoundFile;
import org.bloomgate.content.archive.CompoundFile.Entry;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Reads a compound file by its storages: a message of Outlook is read by its properties, a file inserted as an object
/// by its own name, every other stream by its name or its first bytes. Bytes after the last sector in use are a file of
/// their own. An encrypted document is the limit `opaque`, one under rights management `encrypted`.
public final class CompoundDocument {
    private final CompoundFile file;
    private final Allowance allowance;
    private final LinkSink sink;

    private CompoundDocument(CompoundFile file, LinkSink sink) {
        this.file = file;
        this.allowance = sink.allowance();
        this.sink = sink;
    }

    /// @return whether nothing is damaged
    public static boolean read(byte[] bytes, int length, LinkSink sink) {
        long before = sink.allowance().heap();
        CompoundFile file = CompoundFile.open(bytes, length, sink.allowance());
        new CompoundDocument(file, sink).readStorages();
        int end = file.end();
        if (!file.isDamaged() && end < length && sink.allowance().takeHeap(Limit.ARCHIVE_BYTES, length - end)) {
            sink.addFile("", Arrays.copyOfRange(bytes, end, length), length - end);
        }
        sink.allowance().heapBackTo(before);
        return !file.isDamaged();
    }

    private void readStorages() {
        Map<Integer, List<Entry>> storages = new LinkedHashMap<>();
        Set<Integer> namesOfProperties = new HashSet<>();
        for (Entry entry : file.entries()) {
            if (entry.isStream()) {
                storages.computeIfAbsent(entry.storage(), _ -> new ArrayList<>())
                        .add(entry);
            } else if (entry.name().equals(OutlookMessage.NAMES)) {
                namesOfProperties.add(entry.number());
            }
        }
        OutlookMessage message = new OutlookMessage(sink);
        storages.forEach((storage, streams) -> {
            if (streams.stream().anyMatch(stream -> OutlookMessage.isProperty(stream.name()))
                    && !namesOfProperties.contains(storage)) {
                streams.sort(Comparator.comparing(stream -> !OutlookMessage.isText(stream.name())));
                streams.forEach(stream -> read(stream, message::read));
                message.endStorage();
            } else {
                streams.forEach(stream -> read(stream, this::read));
            }
        });
        message.end();
    }

    private void read(Entry stream, BiConsumer<String, byte[]> reader) {
        long before = allowance.heap();
        reader.accept(stream.name(), file.read(stream));
        allowance.heapBackTo(before);
    }

    private void read(String name, byte[] content) {
        switch (name) {
            case "EncryptedPackage" -> sink.reached(Limit.OPAQUE);
            case "\tDRMContent" -> sink.reached(Limit.ENCRYPTED);
            case "\1Ole10Native" -> readPackage(content);
            default -> sink.addUnknown(content, content.length);
        }
    }

    /// Reads a file that was inserted as an object: after a length and a type, its name, its path, a number,
    /// the length of a second path and this path, each path up to a zero, and the length of the file and the
    /// file. Other objects have only the first length.
    private void readPackage(byte[] content) {
        int pathAt = findTextEnd(content, 6);
        int numberAt = findTextEnd(content, pathAt);
        long fileAt = numberAt + 12 + LittleEndian.four(content, content.length, numberAt + 4);
        long size = LittleEndian.four(content, content.length, (int) Math.min(content.length, fileAt) - 4);
        boolean isPackage = LittleEndian.two(content, content.length, 4) == 2 && fileAt + size <= content.length;
        int from = isPackage ? (int) fileAt : Math.min(4, content.length);
        int to = isPackage ? (int) (fileAt + size) : content.length;
        if (sink.spend(content.length) && allowance.takeHeap(Limit.ARCHIVE_BYTES, to - from)) {
            byte[] inserted = Arrays.copyOfRange(content, from, to);
            if (isPackage) {
                String name = new String(content, 6, Math.max(0, pathAt - 7), StandardCharsets.ISO_8859_1);
                sink.addFile(name, inserted, inserted.length);
            } else {
                sink.addUnknown(inserted, inserted.length);
            }
        }
    }

    /// The position after the zero that ends a text.
    private static int findTextEnd(byte[] content, int from) {
        int end = from;
        while (end < content.length && content[end] != 0) {
            end++;
        }
        return Math.min(content.length, end + 1);
    }
}
