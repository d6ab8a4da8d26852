package org.bloomgate.base.config;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.config.ConfigNode.Mapping;
import org.bloomgate.base.config.ConfigNode.Origin;
import org.bloomgate.base.config.ConfigNode.Scalar;
import org.bloomgate.base.config.ConfigNode.Sequence;

/// Named sections that other sections build on: a key that a section does not have is taken from its template. Maps are
/// merged entry by entry.
public final class Templates {
    private final Map<String, Mapping> sections;

    private Templates(Map<String, Mapping> sections) {
        this.sections = Map.copyOf(sections);
    }

    /// @param name of the document, for errors
    /// @param yaml the document
    /// @param list key of its list of sections, each of which has a `name`
    /// @param like a section as it is bound: the document may contain further keys, which are left out
    /// @throws ConfigException if it is not YAML
    public static Templates parse(String name, String yaml, String list, Record like) throws ConfigException {
        Set<String> known = Set.copyOf(OptionRecords.listKeys(like.getClass()));
        Map<String, Mapping> sections = new HashMap<>();
        if (ConfigParser.parse(name, yaml) instanceof Mapping root
                && root.entries().get(list) instanceof Sequence sequence) {
            for (ConfigNode item : sequence.items()) {
                if (item instanceof Mapping section && section.entries().get("name") instanceof Scalar title) {
                    Map<String, ConfigNode> entries = new LinkedHashMap<>(section.entries());
                    entries.keySet().retainAll(known);
                    sections.put(title.text(), new Mapping(section.origin(), entries, section.keys()));
                }
            }
        }
        return new Templates(sections);
    }

    /// The section with the keys that it lacks from the template that it names.
    ///
    /// @param key in the section, with the name of the template
    /// @throws ConfigException if there is no such template
    Mapping expand(Mapping section, String key, Scalar name) throws ConfigException {
        Mapping template = sections.get(name.text());
        if (template == null) {
            Optional<String> near = NearestWord.find(name.text(), List.copyOf(sections.keySet()));
            throw new ConfigException(List.of(new ConfigError(
                    name.origin().toString(),
                    key + ": there is no '" + name.text() + "' in the " + key
                            + near.map(meant -> "; did you mean '" + meant + "'?")
                                    .orElse(""))));
        }
        return ((Mapping) withOrigin(name.origin(), template)).mergedWith(section);
    }

    /// The template with the origin of the key that names it, so that errors in it are reported there.
    private static ConfigNode withOrigin(Origin origin, ConfigNode node) {
        return switch (node) {
            case Scalar scalar -> new Scalar(origin, scalar.text());
            case Sequence sequence ->
                new Sequence(
                        origin,
                        sequence.items().stream()
                                .map(item -> withOrigin(origin, item))
                                .toList());
            case Mapping mapping -> {
                Map<String, ConfigNode> entries = new LinkedHashMap<>();
                Map<String, Origin> keys = new LinkedHashMap<>();
                mapping.entries().forEach((key, value) -> {
                    entries.put(key, withOrigin(origin, value));
                    keys.put(key, origin);
                });
                yield new Mapping(origin, entries, keys);
            }
        };
    }
}
