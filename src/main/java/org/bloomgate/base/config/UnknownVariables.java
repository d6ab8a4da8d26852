package org.bloomgate.base.config;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Finds `BLOOMGATE_*` variables that look like a key but name none: those that resemble a key or begin with
/// the name of a section. Others are ignored, because sites have variables of their own with this prefix
/// (`BLOOMGATE_VERSION`), and so are those that container platforms set.
final class UnknownVariables {
    private static final Set<String> LAUNCHER_VARIABLES = Set.of("BLOOMGATE_CONFIG", "BLOOMGATE_JAVA_OPTS");

    /// Kubernetes sets variables for every service: for `bloomgate-smtp` these are
    /// `BLOOMGATE_SMTP_SERVICE_HOST`, `BLOOMGATE_SMTP_PORT_25_TCP_ADDR` and, with a URL as its value,
    /// `BLOOMGATE_SMTP_PORT`.
    private static final Pattern PLATFORM_VARIABLE =
            Pattern.compile(".*_(?:SERVICE_HOST|SERVICE_PORT(?:_.*)?|PORT_[0-9]+_(?:TCP|UDP|SCTP)(?:_.*)?)");

    private static final Pattern PLATFORM_PORT_URL = Pattern.compile("(?:tcp|udp|sctp)://.*");

    private final Map<String, Object> known;
    private final Set<String> names = new TreeSet<>();
    private final Set<String> sections =
            new TreeSet<>(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));

    private UnknownVariables(Record defaults) {
        this.known = OptionRecords.collectOptions(defaults);
        for (String path : known.keySet()) {
            names.add(toVariable(path));
            for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
                sections.add(toVariable(path.substring(0, dot)) + '_');
            }
        }
    }

    static List<ConfigError> in(Map<String, String> environment, Record defaults) {
        UnknownVariables unknown = new UnknownVariables(defaults);
        List<ConfigError> errors = new ArrayList<>();
        new TreeMap<>(environment)
                .forEach((variable, value) -> unknown.findHint(variable, value)
                        .ifPresent(hint -> errors.add(new ConfigError(variable, "unknown variable; " + hint))));
        return errors;
    }

    /// What is probably wrong with the variable; empty if nothing is.
    private Optional<String> findHint(String variable, String value) {
        if (!variable.startsWith(Overrides.PREFIX)
                || LAUNCHER_VARIABLES.contains(variable)
                || isSetByPlatform(variable, value)
                || Overrides.findPath(variable, known).isPresent()) {
            return Optional.empty();
        }
        return NearestWord.find(variable.substring(Overrides.PREFIX.length()), collectWords())
                .map(near -> "did you mean '" + Overrides.PREFIX + near + "'?")
                .or(() -> findSection(variable).map(this::listKeysIn));
    }

    private static boolean isSetByPlatform(String variable, String value) {
        return PLATFORM_VARIABLE.matcher(variable).matches()
                || (variable.endsWith("_PORT")
                        && PLATFORM_PORT_URL.matcher(value).matches());
    }

    /// The words after the prefix; with the prefix, every variable would resemble every other.
    private List<String> collectWords() {
        return names.stream()
                .map(name -> name.substring(Overrides.PREFIX.length()))
                .toList();
    }

    /// The innermost section whose name the variable begins with.
    private Optional<String> findSection(String variable) {
        return sections.stream().filter(variable::startsWith).findFirst();
    }

    private String listKeysIn(String section) {
        return names.stream().filter(name -> name.startsWith(section)).collect(joining(", ", "known here: ", ""));
    }

    private static String toVariable(String path) {
        return Overrides.PREFIX + path.replace('.', '_').toUpperCase(Locale.ROOT);
    }
}
