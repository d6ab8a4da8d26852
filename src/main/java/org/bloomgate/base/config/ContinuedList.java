package org.bloomgate.base.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.bloomgate.base.config.ConfigNode.Mapping;
import org.bloomgate.base.config.ConfigNode.Origin;
import org.bloomgate.base.config.ConfigNode.Scalar;
import org.bloomgate.base.config.ConfigNode.Sequence;

/// A list of named sections in a configuration file, and a folder with more of them: each `NAME.yaml` or `NAME.yml`
/// there is one more section, with the name of its file.
///
/// @param key of the list
/// @param folder whose files are read after the list, in byte order of their names; it need not exist
/// @param excludedNames names of sections that are not read
/// @param template the key in a section that names its template
/// @param templates loaded if a section names one
public record ContinuedList(
        String key, Path folder, Set<String> excludedNames, String template, Supplier<Templates> templates) {
    private static final String NAME = "name";

    public ContinuedList {
        excludedNames = Set.copyOf(excludedNames);
    }

    /// Returns the tree of the file with the sections of the folder in its list.
    ///
    /// @throws ConfigException with every file that cannot be read and every template that does not exist
    ConfigNode in(ConfigNode file) throws ConfigException {
        if (!(file instanceof Mapping root)) {
            return file;
        }
        List<ConfigError> errors = new ArrayList<>();
        List<ConfigNode> sections = new ArrayList<>();
        ConfigNode configured = root.entries().getOrDefault(key, new Sequence(root.origin(), List.of()));
        for (ConfigNode item : configured instanceof Sequence list ? list.items() : List.of(configured)) {
            collect(() -> item, sections, errors);
        }
        for (Path continued : FragmentFiles.list(folder)) {
            collect(() -> readSection(continued), sections, errors);
        }
        if (!errors.isEmpty()) {
            throw new ConfigException(errors.stream().sorted().toList());
        }
        Map<String, ConfigNode> entries = new LinkedHashMap<>(root.entries());
        entries.put(key, new Sequence(configured.origin(), sections));
        return new Mapping(root.origin(), entries, root.keys());
    }

    private interface Section {
        ConfigNode read() throws ConfigException;
    }

    private void collect(Section section, List<ConfigNode> into, List<ConfigError> errors) {
        try {
            ConfigNode own = section.read();
            ConfigNode expanded = own instanceof Mapping mapping
                            && mapping.entries().get(template) instanceof Scalar base
                            && !base.text().isEmpty()
                    ? templates.get().expand(mapping, template, base)
                    : own;
            boolean excluded = expanded instanceof Mapping mapping
                    && mapping.entries().get(NAME) instanceof Scalar name
                    && excludedNames.contains(name.text());
            if (!excluded) {
                into.add(expanded);
            }
        } catch (ConfigException e) {
            errors.addAll(e.errors());
        }
    }

    /// The file of a section in such a folder, which need not exist.
    public static Path file(Path folder, String name) {
        return FragmentFiles.find(folder, name);
    }

    /// Reads the section in a file, which may repeat the file's name as its own.
    private static ConfigNode readSection(Path file) throws ConfigException {
        String name = FragmentFiles.removeEnding(file);
        ConfigNode root = ConfigParser.parse(file);
        if (!(root instanceof Mapping mapping)) {
            throw new ConfigException(List.of(new ConfigError(root.origin().toString(), "takes keys and values")));
        }
        if (mapping.entries().get(NAME) instanceof Scalar own && !own.text().equals(name)) {
            throw new ConfigException(List.of(new ConfigError(
                    own.origin().toString(), "name: '" + own.text() + "' is in the file of " + name + "; rename one")));
        }
        Map<String, ConfigNode> entries = new LinkedHashMap<>(mapping.entries());
        Map<String, Origin> keys = new LinkedHashMap<>(mapping.keys());
        entries.putIfAbsent(NAME, new Scalar(mapping.origin(), name));
        keys.putIfAbsent(NAME, mapping.origin());
        return new Mapping(mapping.origin(), entries, keys);
    }
}
