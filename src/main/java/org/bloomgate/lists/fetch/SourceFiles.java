package org.bloomgate.lists.fetch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.base.io.IoText;
import org.bloomgate.core.text.TextForms;

/// A source that is a folder, or a path whose last part contains `*` or `?`: each file is a feed of its own,
/// with its own gates and last good copy. Its name consists of those of the feed and the file.
public final class SourceFiles {
    /// The most files of one source; the manifest of a snapshot has space for a few more feeds.
    public static final int MAX_FILES = 4000;

    /// The longest name of such a feed, so that the name of a file fits after it.
    static final int MAX_NAME_CHARS = 32;

    private static final int MAX_CHARS = 64;

    private SourceFiles() {}

    /// Whether the source has several files. For counted digests, a folder contains range files instead.
    public static boolean isMany(Feed feed) {
        return isPattern(feed.source())
                || (isLocal(feed.source()) && !feed.format().isCounted() && Files.isDirectory(Path.of(feed.source())));
    }

    /// Whether the name is that of one file of a feed with several files.
    public static boolean isFileOf(Feed feed, String name) {
        return name.startsWith(feed.name() + ".") && isMany(feed);
    }

    static boolean isPattern(String source) {
        return isLocal(source) && (source.indexOf('*') >= 0 || source.indexOf('?') >= 0);
    }

    private static boolean isLocal(String source) {
        return !source.equals("-") && !FeedFetcher.isWeb(source);
    }

    /// Whether a path may be a file of the source; it need not exist.
    public static boolean isOf(Feed feed, String file) {
        if (!isLocal(feed.source())) {
            return false;
        }
        Path source = Path.of(feed.source());
        Path path = Path.of(file);
        return isPattern(feed.source())
                ? Objects.equals(source.getParent(), path.getParent())
                        && glob(String.valueOf(source.getFileName()))
                                .matcher(String.valueOf(path.getFileName()))
                                .matches()
                : source.equals(path.getParent());
    }

    /// One feed for each file, in order of their names. The feed itself if its source is one file, or if the
    /// files cannot be listed, which fetching then reports.
    public static List<Feed> of(Feed feed) {
        if (!isMany(feed)) {
            return List.of(feed);
        }
        try {
            List<Path> files = files(feed);
            Set<String> names = new HashSet<>();
            List<Feed> feeds = new ArrayList<>();
            for (Path file : files) {
                feeds.add(feed.ofFile(name(feed, file, names), file.toString()));
            }
            return feeds;
        } catch (FeedRefusedException e) {
            return List.of(feed);
        }
    }

    /// The files of the source, at least one.
    ///
    /// @throws FeedRefusedException if there is none, or more than allowed
    public static List<Path> files(Feed feed) throws FeedRefusedException {
        Path path = Path.of(feed.source());
        Path folder = isPattern(feed.source()) ? path.toAbsolutePath().getParent() : path;
        Path shown = path.getParent() == null ? Path.of("") : path.getParent();
        Pattern pattern = glob(isPattern(feed.source()) ? String.valueOf(path.getFileName()) : "*");
        try (Stream<Path> all = Files.list(folder)) {
            List<Path> files = all.filter(file ->
                            pattern.matcher(file.getFileName().toString()).matches())
                    .filter(Files::isRegularFile)
                    .limit(MAX_FILES + 1L)
                    .sorted()
                    .map(file -> isPattern(feed.source()) ? shown.resolve(file.getFileName()) : file)
                    .toList();
            if (files.isEmpty() || files.size() > MAX_FILES) {
                throw new FeedRefusedException(
                        feed,
                        feed.source() + (files.isEmpty() ? ": no such file" : ": more than " + MAX_FILES + " files"));
            }
            return files;
        } catch (IOException e) {
            throw e instanceof FeedRefusedException refused
                    ? refused
                    : new FeedRefusedException(feed, "folder " + folder + " cannot be read: " + IoText.of(e), e);
        }
    }

    /// A shell pattern as a regular expression: `*` does not match a leading dot.
    private static Pattern glob(String glob) {
        String regex = glob.codePoints()
                .mapToObj(c -> switch (c) {
                    case '*' -> ".*";
                    case '?' -> ".";
                    default -> Pattern.quote(Character.toString(c));
                })
                .collect(Collectors.joining());
        return Pattern.compile((glob.startsWith(".") ? "" : "(?!\\.)") + regex, Pattern.DOTALL);
    }

    private static String name(Feed feed, Path file, Set<String> used) {
        String plain = TextForms.lowerCase(String.valueOf(file.getFileName())).replaceAll("[^a-z0-9._-]", "-");
        int maxChars = MAX_CHARS - feed.name().length() - 1;
        String name = plain.substring(0, Math.min(plain.length(), maxChars));
        for (int i = 2; !used.add(name); i++) {
            String number = "-" + i;
            name = plain.substring(0, Math.min(plain.length(), maxChars - number.length())) + number;
        }
        return feed.name() + '.' + name;
    }
}
