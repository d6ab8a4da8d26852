package org.bloomgate.base.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A configuration file as a tree in which every node knows its line.
sealed interface ConfigNode {

    Origin origin();

    /// Where a value was written.
    ///
    /// @param source a file name, or `--set KEY`, or the name of an environment variable
    /// @param line from 1; 0 when the source has no lines
    record Origin(String source, int line) {
        @Override
        public String toString() {
            return line == 0 ? source : source + ":" + line;
        }
    }

    /// @param text the value as written; a YAML `null` or an empty value is an empty text
    record Scalar(Origin origin, String text) implements ConfigNode {}

    record Sequence(Origin origin, List<ConfigNode> items) implements ConfigNode {}

    /// @param entries by key, in order of the file
    /// @param keys line of each key
    record Mapping(Origin origin, Map<String, ConfigNode> entries, Map<String, Origin> keys) implements ConfigNode {

        /// This mapping with another one that takes precedence. Mappings are merged; lists and scalars are replaced.
        Mapping mergedWith(Mapping over) {
            Map<String, ConfigNode> both = new LinkedHashMap<>(entries);
            over.entries.forEach((key, value) -> both.merge(
                    key,
                    value,
                    (below, above) -> below instanceof Mapping one && above instanceof Mapping other
                            ? one.mergedWith(other)
                            : above));
            Map<String, Origin> places = new LinkedHashMap<>(keys);
            places.putAll(over.keys);
            return new Mapping(over.origin, both, places);
        }
    }
}
