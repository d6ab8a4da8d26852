package org.bloomgate.lists.catalogue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.base.config.Templates;
import org.bloomgate.lists.fetch.Feed;

/// The lists that ship as `config/catalogue.yaml`.
///
/// @param starter names of the lists to begin with
/// @param lists in the order of the file
public record Catalogue(List<String> starter, List<CatalogueEntry> lists) {
    private static final String FILE = "catalogue.yaml";

    public Catalogue {
        starter = List.copyOf(starter);
        lists = List.copyOf(lists);
    }

    /// The catalogue of this build.
    public static Catalogue shipped() {
        try {
            return ConfigReader.read(FILE, text(), new Catalogue(List.of(), List.of()));
        } catch (ConfigException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The settings of each list, for feeds that refer to it.
    public static Templates templates() {
        try {
            return Templates.parse(FILE, text(), "lists", Feed.defaults());
        } catch (ConfigException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The list of this name.
    public Optional<CatalogueEntry> list(String name) {
        return lists.stream().filter(list -> list.feed().name().equals(name)).findFirst();
    }

    private static String text() {
        try (InputStream in = Objects.requireNonNull(Catalogue.class.getResourceAsStream(FILE), FILE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
