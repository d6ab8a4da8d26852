package org.bloomgate.app.gateway.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.export.ExportList;
import org.bloomgate.lists.fetch.Feed;

/// The checks of the section `exports`.
public final class ExportChecks {
    private ExportChecks() {}

    /// Problems of the section `exports` that need nothing but the configuration.
    static List<String> problems(Configuration configuration) {
        List<String> problems = new ArrayList<>();
        Map<Path, String> files = new HashMap<>();
        if (!configuration.exports().isEmpty() && configuration.exact().store() != ExactOptions.Store.EMBEDDED) {
            problems.add(
                    "exports: are written from the exact stores of snapshots, which are here only with exact.store:"
                            + " embedded");
        }
        configuration.exports().forEach((name, export) -> {
            export.findProblem(name).ifPresent(why -> problems.add("exports." + name + ": " + why));
            if (!export.file().isEmpty()) {
                Optional.ofNullable(files.put(
                                Path.of(export.file()).toAbsolutePath().normalize(), name))
                        .ifPresent(other ->
                                problems.add("exports." + name + ".file: is the file of the export " + other + " too"));
            }
        });
        return problems;
    }

    /// Problems of the section `exports` in relation to the feeds, paused ones included, and the disk.
    public static List<String> fileProblems(Configuration configuration) throws ConfigException {
        List<Feed> feeds = FeedsFolder.of(configuration).ifThere().feeds();
        List<String> problems = new ArrayList<>();
        configuration.exports().forEach((name, export) -> {
            for (ExportList list : export.lists()) {
                if (feeds.stream().noneMatch(feed -> isIn(list, feed))) {
                    problems.add("exports." + name + ".lists: " + list + ": no feed is in it");
                }
            }
            if (!export.file().isEmpty()) {
                Optional.ofNullable(Path.of(export.file()).toAbsolutePath().getParent())
                        .filter(folder -> !Files.isDirectory(folder))
                        .ifPresent(folder -> problems.add("exports." + name + ".file: " + folder + ": no such folder"));
            }
        });
        return problems;
    }

    private static boolean isIn(ExportList list, Feed feed) {
        return switch (list.type()) {
            case LOCAL -> true;
            case FEED -> feed.name().equals(list.name());
            case CATEGORY -> feed.category().equals(list.name());
        };
    }
}
