package org.bloomgate.content.mime;

import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The charsets of this runtime by all names they go by. `Charset.forName` looks for one it does not know in each jar
/// of the class path, every time: a tenth of a millisecond for a name that anybody may write.
final class CharsetNames {
    private CharsetNames() {}

    /// @param name in lower case
    static Optional<Charset> charset(String name) {
        return Optional.ofNullable(Known.BY_NAME.get(name));
    }

    /// Gathered when the first name is asked for: few messages have one that [TextDecoding] does not know by
    /// heart.
    private static final class Known {
        static final Map<String, Charset> BY_NAME = byName();

        private static Map<String, Charset> byName() {
            Map<String, Charset> byName = new HashMap<>();
            for (Charset charset : Charset.availableCharsets().values()) {
                byName.put(charset.name().toLowerCase(Locale.ROOT), charset);
                charset.aliases().forEach(alias -> byName.putIfAbsent(alias.toLowerCase(Locale.ROOT), charset));
            }
            return byName;
        }
    }
}
