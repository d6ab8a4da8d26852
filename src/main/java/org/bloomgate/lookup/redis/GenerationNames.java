package org.bloomgate.lookup.redis;

import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/// The names of the keys of one generation of one layer in Redis.
///
/// ```
///   PREFIX:LAYER:current                    generation published last
///   PREFIX:LAYER:generations                hash: generation -> number of its buckets
///   PREFIX:LAYER:GENERATION:header:N        GenerationHeader, the same in every copy
///   PREFIX:LAYER:GENERATION:BUCKET          hash: marker and fields, the bucket in hexadecimal
/// ```
///
/// No name contains braces, so a cluster spreads the keys over all its slots.
record GenerationNames(String prefix, String layer, String generation) {
    /// After the loss of one node, the header is still on another.
    static final int HEADER_COPIES = 8;

    static final int UNCOUNTED = -1;

    byte[] bucket(int bucket) {
        return bytes(stem() + Integer.toHexString(bucket));
    }

    byte[] header(int copy) {
        return bytes(stem() + "header:" + copy);
    }

    byte[] current() {
        return bytes(prefix + ':' + layer + ":current");
    }

    byte[] generations() {
        return bytes(prefix + ':' + layer + ":generations");
    }

    /// The names of another generation of the layer.
    GenerationNames withGeneration(String other) {
        return new GenerationNames(prefix, layer, other);
    }

    /// The marker of a complete bucket: the generation and the number of its fields, without which a deleted
    /// field would mean "not listed".
    byte[] marker(int fields) {
        return bytes(generation + ':' + fields);
    }

    /// The number of fields by a marker of this generation, [#UNCOUNTED] if it has none; empty for anything
    /// else.
    OptionalInt fields(byte[] marker) {
        String stem = generation + ':';
        String text = text(marker);
        if (text.equals(generation)) {
            return OptionalInt.of(UNCOUNTED);
        }
        if (!text.startsWith(stem)) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseInt(text.substring(stem.length())));
        } catch (NumberFormatException damaged) {
            return OptionalInt.empty();
        }
    }

    private String stem() {
        return prefix + ':' + layer + ':' + generation + ':';
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
