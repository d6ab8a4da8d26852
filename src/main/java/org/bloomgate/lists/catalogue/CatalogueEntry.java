package org.bloomgate.lists.catalogue;

import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.base.config.Inline;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lists.fetch.Feed;

/// A list of the catalogue.
///
/// @param description a phrase without a full stop
/// @param attribution to be shown with the list; empty if the publisher requires none
/// @param size order of magnitude of the number of entries; 0 for a list that exists only in DNS
/// @param affects the parts of mail that the list applies to: sender, client, link, attachment, login
/// @param verified `recalled` if part of the entry is unverified, otherwise empty
/// @param check the parts that are not confirmed; empty for none
/// @param feed settings of the feed
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

    /// The defaults of an entry of the file.
    public static CatalogueEntry defaults() {
        return new CatalogueEntry("", "", "", "", "", 0, List.of(), "", "", Feed.defaults());
    }

    /// The name of the environment variable with the key that the list needs; empty for none.
    public String keyVariable() {
        return keyVariable(feed);
    }

    /// The same for a feed, which may use another variable.
    public static String keyVariable(Feed feed) {
        return Stream.of(feed.transfer().auth().env(), feed.confirming().keyEnv())
                .filter(variable -> !variable.isEmpty())
                .findFirst()
                .orElse("");
    }

    /// Whether the name, description, publisher, licence, category or kind contains a word, in any case.
    public boolean mentions(String word) {
        String lower = TextForms.lowerCase(word);
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
                .anyMatch(text -> TextForms.lowerCase(text).contains(lower));
    }
}
