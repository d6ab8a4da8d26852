package org.bloomgate.app.gateway.options;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bloomgate.base.config.ConfigError;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.base.config.ContinuedList;
import org.bloomgate.base.config.ParsedConfig;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.catalogue.Catalogue;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.Feeds;

/// The feeds file, which commands only read, and the folder `feeds.d` beside it, which they write to: a file
/// for each feed that was added, and the names of paused feeds.
///
/// @param feeds the feeds file
public record FeedsFolder(Path feeds) {
    /// The file of paused feeds, one name per line.
    private static final String PAUSED = "paused";

    public static FeedsFolder of(Configuration configuration) {
        return new FeedsFolder(configuration.feeds());
    }

    public Path folder() {
        return feeds.resolveSibling("feeds.d");
    }

    /// The feeds of both, without paused ones.
    ///
    /// @throws ConfigException with every error found
    ParsedConfig<Feeds> parse() throws ConfigException {
        return parse(paused());
    }

    /// The feeds of both, with paused ones.
    ///
    /// @throws ConfigException with every error found
    public Feeds all() throws ConfigException {
        return parse(Set.of()).value();
    }

    /// The same; empty without a feeds file, as on a mirror.
    ///
    /// @throws ConfigException with every error found
    public Feeds ifThere() throws ConfigException {
        return Files.exists(feeds) ? all() : Feeds.defaults();
    }

    private ParsedConfig<Feeds> parse(Set<String> excluded) throws ConfigException {
        return ConfigReader.parse(
                feeds,
                new ContinuedList("feeds", folder(), excluded, "catalogue", Catalogue::templates),
                Feeds.defaults());
    }

    /// @throws ConfigException if the names cannot be read
    public Set<String> paused() throws ConfigException {
        Path file = folder().resolve(PAUSED);
        try {
            return Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .collect(Collectors.toSet());
        } catch (NoSuchFileException e) {
            return Set.of();
        } catch (IOException e) {
            throw new ConfigException(List.of(new ConfigError(file.toString(), "cannot be read: " + IoText.of(e))));
        }
    }

    /// The file of a feed that was added.
    ///
    /// @param name of a feed that was read, and therefore not a path
    public Path file(String name) {
        return ContinuedList.file(folder(), name);
    }

    /// Adds a feed, durably.
    public void add(String name, String yaml) throws IOException {
        Files.createDirectories(folder());
        DurableFiles.replace(file(name), yaml.getBytes(StandardCharsets.UTF_8));
    }

    /// Removes the file of a feed.
    ///
    /// @return false if it has none: the feed is in the feeds file
    public boolean remove(String name) throws IOException {
        if (!Files.deleteIfExists(file(name))) {
            return false;
        }
        DurableFiles.force(folder());
        return true;
    }

    /// The lines of a feed in the feeds file, each with its number.
    public List<String> lines(String name) throws IOException, ConfigException {
        ParsedConfig<Feeds> parsed = parse(Set.of());
        List<String> names = parsed.value().feeds().stream().map(Feed::name).toList();
        String where = parsed.errors(List.of("feeds[" + names.indexOf(name) + "]: "))
                .getFirst()
                .where();
        int first = Integer.parseInt(where.substring(where.lastIndexOf(':') + 1));
        List<String> all = Files.readAllLines(feeds);
        int indent = indent(all.get(first - 1));
        int last = first;
        while (last < all.size() && indent(all.get(last)) > indent) {
            last++;
        }
        return IntStream.rangeClosed(first, last)
                .mapToObj(line -> line + ": " + all.get(line - 1))
                .toList();
    }

    /// A blank line ends the entry above it.
    private static int indent(String line) {
        return line.isBlank() ? -1 : line.length() - line.stripLeading().length();
    }

    /// Pauses or resumes a feed.
    ///
    /// @return false if nothing changes
    public boolean setPaused(String name, boolean paused) throws IOException, ConfigException {
        Set<String> names = new TreeSet<>(paused());
        if (!(paused ? names.add(name) : names.remove(name))) {
            return false;
        }
        Files.createDirectories(folder());
        String lines = names.stream().map(feed -> feed + "\n").collect(Collectors.joining());
        DurableFiles.replace(folder().resolve(PAUSED), lines.getBytes(StandardCharsets.UTF_8));
        return true;
    }
}
