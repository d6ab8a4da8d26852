package org.bloomgate.content.mime;

import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.text.TextForms;

/// The charsets of this runtime by all their names. `Charset.forName` searches each jar of the class path for
/// every unknown name, which takes a tenth of a millisecond for a name that the sender chooses.
final class CharsetNames {
    private CharsetNames() {}

    /// @param name in lower case
    static Optional<Charset> find(String name) {
        return Optional.ofNullable(AvailableCharsets.BY_NAME.get(name));
    }

    /// Created on first use: few messages have a charset that [TextDecoding] does not handle directly.
    private static final class AvailableCharsets {
        static final Map<String, Charset> BY_NAME = createIndex();

        private static Map<String, Charset> createIndex() {
            Map<String, Charset> byName = new HashMap<>();
            for (Charset charset : Charset.availableCharsets().values()) {
                byName.put(TextForms.lowerCase(charset.name()), charset);
                charset.aliases().forEach(alias -> byName.putIfAbsent(TextForms.lowerCase(alias), charset));
            }
            return byName;
        }
    }
}
