package org.bloomgate.base.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A configuration file as far as it can be understood: values with a default in the place of what is wrong, and
/// what is wrong.
public final class BindResult<R extends Record> {
    private final R value;
    private final ConfigNode node;
    private final List<ConfigError> errors;
    private final Set<String> doubtful;

    /// @param doubtful paths of keys whose values are not what was meant
    BindResult(R value, ConfigNode node, List<ConfigError> errors, Set<String> doubtful) {
        this.value = value;
        this.node = node;
        this.errors = List.copyOf(errors);
        this.doubtful = Set.copyOf(doubtful);
    }

    public R value() {
        return value;
    }

    /// @throws ConfigException with every error, if there is one
    public R orRefused() throws ConfigException {
        if (!errors.isEmpty()) {
            throw new ConfigException(errors);
        }
        return value;
    }

    public boolean isWhole() {
        return errors.isEmpty();
    }

    /// The same with errors more.
    public BindResult<R> and(List<ConfigError> more) {
        List<ConfigError> all = new ArrayList<>(errors);
        all.addAll(more);
        return new BindResult<>(value, node, all, doubtful);
    }

    /// Whether a key, and all below it, has the value that was meant.
    public boolean isSure(String key) {
        return doubtful.stream().noneMatch(path -> isAtOrBelow(key, path) || isAtOrBelow(path, key));
    }

    /// All errors, including those that show only when everything is read. A problem of a key that is already
    /// wrong is left out.
    ///
    /// @param problems each begins with its key, as `smtp.tls.certificate: ..` or `feeds[3].source: ..`
    public List<ConfigError> errorsAnd(List<String> problems) {
        List<ConfigError> all = new ArrayList<>(errors);
        problems.stream()
                .filter(problem -> isSure(key(problem)))
                .map(problem -> new ConfigError(
                        SettingLocation.written(problem, node)
                                .map(Object::toString)
                                .orElse(""),
                        problem))
                .forEach(all::add);
        return List.copyOf(all);
    }

    /// The key that a problem begins with.
    static String key(String problem) {
        int end = 0;
        while (end < problem.length() && ": ,".indexOf(problem.charAt(end)) < 0) {
            end++;
        }
        return problem.substring(0, end);
    }

    /// Everything is below the empty path.
    static boolean isAtOrBelow(String key, String path) {
        return path.isEmpty()
                || (key.startsWith(path)
                        && (key.length() == path.length() || ".[".indexOf(key.charAt(path.length())) >= 0));
    }
}
