package org.bloomgate.lists.rebuild;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.SourceFiles;
import org.bloomgate.lists.layer.PreviousSnapshot;
import org.bloomgate.lists.snapshot.LayerDirectory;

/// The feeds of sources with several files. If the files cannot be listed, for example because their directory
/// is missing, those of the previous snapshot remain feeds, so that their last good copies are used: only a
/// file missing from an existing directory is removed.
///
/// @param snapshots root of all layers
record FeedFiles(Path snapshots) {

    /// The feeds, one for each file, in the configured order.
    List<Feed> of(List<Feed> configured) {
        Set<String> names = configured.stream().map(Feed::name).collect(Collectors.toSet());
        List<Feed> feeds = new ArrayList<>();
        for (Feed feed : configured) {
            List<Feed> files = SourceFiles.of(feed);
            feeds.addAll(files);
            if (files.equals(List.of(feed))) {
                ofPreviousSnapshot(feed).stream()
                        .filter(file -> !names.contains(file.name()))
                        .forEach(feeds::add);
            }
        }
        return feeds;
    }

    private List<Feed> ofPreviousSnapshot(Feed feed) {
        return PreviousSnapshot.of(new LayerDirectory(snapshots, feed.cadence().layer())).manifest().stream()
                .flatMap(manifest -> manifest.feeds().stream())
                .filter(file -> file.name().startsWith(feed.name() + '.'))
                .filter(file -> SourceFiles.isOf(feed, file.source()))
                .map(file -> feed.ofFile(file.name(), file.source()))
                .toList();
    }

    /// The requested names, with the names of their files.
    static Set<String> withFiles(Set<String> requested, List<Feed> configured) {
        Set<String> names = new LinkedHashSet<>(requested);
        configured.stream()
                .filter(feed -> requested.contains(feed.name()))
                .flatMap(feed -> SourceFiles.of(feed).stream())
                .map(Feed::name)
                .forEach(names::add);
        return names;
    }
}
