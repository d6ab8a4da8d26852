package org.bloomgate.gateway;

import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.local.Entry;
import org.bloomgate.local.LiveEntries;
import org.bloomgate.mirror.SharedEntriesFollower;
import org.bloomgate.snapshot.Following;
import org.bloomgate.snapshot.LiveStatus;
import org.bloomgate.wire.MirrorReport;

/// What this mirror tells its publisher of itself: what is in force, what was refused, and of its own operators'
/// listings those of domains, URLs and networks, without a word on why and by whom.
final class OwnReport {
    private OwnReport() {}

    static MirrorReport of(LiveStatus status, SharedEntriesFollower.Status shared, LiveEntries entries, boolean ready) {
        List<MirrorReport.Entry> listed = listed(entries).toList();
        int told = Math.min(listed.size(), MirrorReport.MAX_ENTRIES);
        return new MirrorReport(
                status.layers().stream()
                        .limit(MirrorReport.MAX_LAYERS)
                        .map(layer -> new MirrorReport.Layer(layer.layer(), layer.generation()))
                        .toList(),
                status.following().flatMap(Following::counter),
                shared.counter(),
                ready,
                status.standing().stream()
                        .limit(MirrorReport.MAX_FAULTS)
                        .map(fault -> new MirrorReport.Fault(
                                text(fault.layer()),
                                text(fault.reason()),
                                fault.at().toString()))
                        .toList(),
                listed.subList(0, told),
                listed.size() - told);
    }

    private static Stream<MirrorReport.Entry> listed(LiveEntries entries) {
        return entries.entries().of(Entry.Type.LISTING).stream()
                .filter(entry -> MirrorReport.KINDS.contains(entry.key().kind().label()))
                .filter(entry -> MirrorReport.isText(entry.key().text()))
                .map(entry -> new MirrorReport.Entry(
                        entry.key().kind().label(),
                        entry.key().text(),
                        entry.scope().category().orElse("")));
    }

    private static String text(String line) {
        String shown = line.replaceAll("\\p{Cntrl}", "?");
        return shown.substring(0, Math.min(shown.length(), MirrorReport.MAX_TEXT_CHARS));
    }
}
