package org.bloomgate.exact;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a [StoreChange] leads from and to, by which its file is called: `exact.SINCE.delta` where it leads to the
/// generation that has the file, `exact.SINCE.UNTIL.delta` where it leads to one before that.
///
/// @param since id of a generation
/// @param until id of a later one
public record ChangeStep(String since, String until) {
    private static final Pattern NAME = Pattern.compile("exact\\.([^./]+)(?:\\.([^./]+))?\\.delta");

    /// @param path of a file of a snapshot
    /// @param generation that has it
    /// @return empty when that is no change of a store, or leads nowhere
    public static Optional<ChangeStep> of(String path, String generation) {
        Matcher name = NAME.matcher(path);
        return name.matches()
                ? Optional.of(new ChangeStep(
                                name.group(1),
                                Optional.ofNullable(name.group(2)).orElse(generation)))
                        .filter(step -> step.since.compareTo(step.until) < 0)
                : Optional.empty();
    }

    /// @param generation that has the file
    public String fileName(String generation) {
        return "exact." + since + (until.equals(generation) ? "" : "." + until) + ".delta";
    }
}
