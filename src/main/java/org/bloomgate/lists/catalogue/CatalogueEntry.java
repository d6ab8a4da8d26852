package org.bloomgate.lists.catalogue;

import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.base.config.Inline;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lists.fetch.Feed;

/// A list of the catalogue.
///
/// @param description a phrase without a full stop
/// @param attribution to be shown with the list; empty if the publisher asks for none
/// @param size entries, order of magnitude; 0 for a list that exists only in DNS
/// @param affects what the list may touch: sender, client, link, attachment, login
/// @param verified `recalled` if part of it is from memory, otherwise empty
/// @param check what is not confirmed; empty: nothing
/// @param feed the feed that it is
public record CatalogueEntry(
        String description,
        String publisher,
        String homepage,
        String licence,
        String attribution,
        long size,
        List<String> affects,
        String verified,
        String check,
        @Inline Feed feed) {
    public CatalogueEntry {
        affects = List.copyOf(affects);
    }

    /// What an entry of the file has where it names nothing.
    public static CatalogueEntry defaults() {
        return new CatalogueEntry("", "", "", "", "", 0, List.of(), "", "", Feed.defaults());
    }

    /// The name of the environment variable with the key that the list needs; empty: none.
    public String keyVariable() {
        return keyVariable(feed);
    }

    /// The same of a feed, which may use another variable.
    public static String keyVariable(Feed feed) {
        return Stream.of(feed.transfer().auth().env(), feed.confirming().keyEnv())
                .filter(variable -> !variable.isEmpty())
                .findFirst()
                .orElse("");
    }

    /// Whether the name, description, publisher, licence, category or kind contains a word, in any case.
    public boolean mentions(String word) {
        String wanted = TextForms.lowerCase(word);
        return Stream.of(
                        Stream.of(
                                feed.name(),
                                description,
                                publisher,
                                licence,
                                feed.category(),
                                feed.kind().label()),
                        affects.stream())
                .flatMap(texts -> texts)
                .anyMatch(text -> TextForms.lowerCase(text).contains(wanted));
    }
}
