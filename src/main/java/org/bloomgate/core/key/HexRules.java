package org.bloomgate.core.key;

import java.util.HexFormat;

/// Rules for keys whose canonical text is a digest in hex digits, in lower case unless overridden.
interface HexRules extends KindRules {
    @Override
    default byte[] bytes(String text) {
        return HexFormat.of().parseHex(text);
    }

    @Override
    default String text(byte[] bytes, int offset, int length) {
        return HexFormat.of().formatHex(bytes, offset, offset + length);
    }
}
