package org.bloomgate.lookup.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The generations that a [StoreChange] leads from and to. They are its file name: `exact.SINCE.delta` if it
/// leads to the generation that has the file, `exact.SINCE.UNTIL.delta` if it leads to an earlier one.
///
/// @param since id of a generation
/// @param until id of a later one
public record ChangeStep(String since, String until) {
    private static final Pattern NAME = Pattern.compile("exact\\.([^./]+)(?:\\.([^./]+))?\\.delta");

    /// @param path of a file of a snapshot
    /// @param generation that has it
    /// @return empty if it is not a change of a store, or leads nowhere
    static Optional<ChangeStep> of(String path, String generation) {
        Matcher name = NAME.matcher(path);
        return name.matches()
                ? Optional.of(new ChangeStep(
                                name.group(1),
                                Optional.ofNullable(name.group(2)).orElse(generation)))
                        .filter(step -> step.since.compareTo(step.until) < 0)
                        .filter(step -> step.fileName(generation).equals(path))
                : Optional.empty();
    }

    /// The steps that lead to a generation, the last first, each of them the shortest there is; this many at
    /// most as [SortedStores#follow] takes.
    ///
    /// @param paths of the files that the generation has
    public static List<ChangeStep> leadingTo(String generation, List<String> paths) {
        List<ChangeStep> all =
                paths.stream().flatMap(path -> of(path, generation).stream()).toList();
        List<ChangeStep> steps = new ArrayList<>();
        Optional<ChangeStep> next = shortestTo(generation, all);
        while (next.isPresent() && steps.size() < SortedStores.MAX_CHANGES) {
            steps.add(next.get());
            next = shortestTo(next.get().since, all);
        }
        return steps;
    }

    private static Optional<ChangeStep> shortestTo(String until, List<ChangeStep> steps) {
        return steps.stream().filter(step -> step.until.equals(until)).max(Comparator.comparing(ChangeStep::since));
    }

    /// @param generation that has the file
    public String fileName(String generation) {
        return "exact." + since + (until.equals(generation) ? "" : "." + until) + ".delta";
    }
}
