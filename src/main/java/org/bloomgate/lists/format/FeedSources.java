package org.bloomgate.lists.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.io.IoText;
import org.bloomgate.core.key.FeedKeys;
import org.bloomgate.core.key.Key;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFetcher;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.fetch.SourceFiles;

/// Checks what the feeds need on this machine, before a nightly rebuild fails: files, CSV columns, allow lists
/// and the environment variables with secrets. The file of a feed is read up to its first entry. Nothing is
/// fetched.
public final class FeedSources {
    private FeedSources() {}

    /// The problems, one line each that begins with its key, for example `feeds[2].source`.
    ///
    /// @param keys makes the keys of entries
    /// @param environment of the process
    public static List<String> findProblems(Feeds feeds, FeedKeys keys, Map<String, String> environment) {
        List<String> problems = new ArrayList<>();
        FeedReader reader = new FeedReader(keys, AllowList.of(List.of()));
        for (int i = 0; i < feeds.feeds().size(); i++) {
            String key = "feeds[" + i + "]";
            findProblem(feeds.feeds().get(i), environment, reader).ifPresent(why -> problems.add(key + "." + why));
        }
        for (int i = 0; i < feeds.allow().size(); i++) {
            String key = "allow[" + i + "]: ";
            findAllowListProblem(feeds.allow().get(i)).ifPresent(why -> problems.add(key + why));
        }
        return problems;
    }

    private static Optional<String> findProblem(Feed feed, Map<String, String> environment, FeedReader reader) {
        if (FeedFetcher.isWeb(feed.source())) {
            String variable = feed.transfer().auth().env();
            return variable.isEmpty() || !environment.getOrDefault(variable, "").isBlank()
                    ? Optional.empty()
                    : Optional.of("auth: the environment variable " + variable + " is not set");
        }
        if (feed.source().equals("-") || feed.queriedZone().isPresent()) {
            return Optional.empty();
        }
        try {
            if (SourceFiles.isMany(feed)) {
                SourceFiles.files(feed);
                return Optional.empty();
            }
            return findFileProblem(feed, Path.of(feed.source()), reader);
        } catch (FeedRefusedException e) {
            return Optional.of("source: " + withoutName(feed, e));
        }
    }

    private static Optional<String> findFileProblem(Feed feed, Path file, FeedReader reader) {
        if (Files.notExists(file)) {
            return Optional.of("source: " + file + ": no such file");
        }
        if (Files.isDirectory(file)) {
            return Optional.empty();
        }
        try {
            reader.read(feed, () -> Files.newInputStream(file), new FirstEntry());
            return Optional.empty();
        } catch (FirstEntry.Found _) {
            return Optional.empty();
        } catch (FeedRefusedException e) {
            String why = withoutName(feed, e);
            return Optional.of((why.startsWith("no column") || why.startsWith("no header") ? "column: " : "source: ")
                    + file + ": " + why);
        }
    }

    private static String withoutName(Feed feed, FeedRefusedException refused) {
        String name = "feed " + feed.name() + ": ";
        String message = String.valueOf(refused.getMessage());
        return message.startsWith(name) ? message.substring(name.length()) : message;
    }

    private static Optional<String> findAllowListProblem(String file) {
        try {
            AllowList _ = AllowList.load(List.of(file));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    e.getCause() instanceof IOException cause ? file + ": " + IoText.of(cause) : IoText.of(e));
        }
    }

    /// Ends the reading at the first entry.
    private static final class FirstEntry implements FeedSink {
        private static final class Found extends RuntimeException {
            private static final long serialVersionUID = 1;

            private Found() {
                super("", null, false, false);
            }
        }

        @Override
        public void addKey(long line, Key key, long count) {
            throw new Found();
        }

        @Override
        public void reject(long line, String reason, String excerpt) {}

        @Override
        public void hold(long line, String reason, Key key) {}

        @Override
        public void except(long line, Key key) {}
    }
}
