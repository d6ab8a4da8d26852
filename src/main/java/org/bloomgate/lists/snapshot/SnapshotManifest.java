package org.bloomgate.lists.snapshot;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.store.PartRoot;
import org.bloomgate.lookup.tier.ListExceptions;
import org.bloomgate.lookup.tier.ListingSource;

/// `manifest.json`: the content of a snapshot and the parameters it was made with.
///
/// @param formatVersion of this file and of the directory
/// @param canonicalFormVersion of the rules that made the keys
/// @param generation sortable id, newest last
/// @param publicSuffixListSha256 of the list that the keys were made with
/// @param proofCount number of keys tested in the written filters before publishing
/// @param files all files but the manifest itself and its signature
/// @param parts the roots of the parts of the exact store, by path
public record SnapshotManifest(
        int formatVersion,
        int canonicalFormVersion,
        String layer,
        String generation,
        Instant createdAt,
        String publicSuffixListSha256,
        long proofCount,
        List<ManifestFeed> feeds,
        List<ManifestFilter> filters,
        List<ManifestFile> files,
        Map<String, PartRoot> parts) {
    /// The version this build writes and reads.
    public static final int FORMAT_VERSION = 2;

    /// Name of the manifest in a snapshot.
    public static final String FILE_NAME = "manifest.json";

    public SnapshotManifest {
        feeds = List.copyOf(feeds);
        filters = List.copyOf(filters);
        files = List.copyOf(files);
        parts = Collections.unmodifiableMap(new TreeMap<>(parts));
    }

    /// Keys in all filters: each distinct key counts once.
    public long countEntries() {
        return filters.stream().mapToLong(ManifestFilter::inserted).sum();
    }

    /// The file of this path, if the snapshot has it.
    public Optional<ManifestFile> findFile(String path) {
        return files.stream().filter(file -> file.path().equals(path)).findFirst();
    }

    /// Bytes of all files.
    public long countBytes() {
        return files.stream().mapToLong(ManifestFile::sizeBytes).sum();
    }

    /// The categories of the feeds of each kind, without feeds in shadow.
    public Map<KeyKind, Set<String>> collectCategories() {
        Map<KeyKind, Set<String>> categories = new EnumMap<>(KeyKind.class);
        for (ManifestFeed feed : feeds) {
            for (KeyKind kind : feed.kind().kinds()) {
                Set<String> kindCategories = categories.computeIfAbsent(kind, _ -> new HashSet<>());
                if (!feed.shadow()) {
                    kindCategories.add(feed.category());
                }
            }
        }
        return categories;
    }

    /// The source of listings of each feed that has an action of its own or is in shadow, by name of the feed.
    public Map<String, ListingSource> collectListingSources() {
        Map<String, ListingSource> listingSources = new HashMap<>();
        for (ManifestFeed feed : feeds) {
            if (!feed.toListingSource().equals(ListingSource.OfFeed.PLAIN)) {
                listingSources.put(feed.name(), feed.toListingSource());
            }
        }
        return listingSources;
    }

    /// The exceptions of each feed that has any, by name of the feed.
    public Map<String, ListExceptions> collectExceptions() {
        Map<String, ListExceptions> exceptions = new HashMap<>();
        for (ManifestFeed feed : feeds) {
            if (!feed.exceptions().isEmpty()) {
                exceptions.put(feed.name(), new ListExceptions(Set.copyOf(feed.exceptions())));
            }
        }
        return exceptions;
    }
}
