package org.bloomgate.decision.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Searches the files of the journal, the newest first. Only lines that contain the text are parsed. Heap: the
/// result. Used by one thread.
final class DecisionSearch {
    private final DecisionQuery query;
    private final List<String> needles;
    private final Set<String> tokens = new HashSet<>();
    private final List<Decision> found = new ArrayList<>();

    private DecisionSearch(DecisionQuery query) {
        this.query = query.plain();
        this.needles = this.query.texts().values().stream()
                .map(SearchTerm::folded)
                .filter(DecisionSearch::needsNoEscape)
                .toList();
    }

    /// Whether JSON contains the text without a backslash.
    private static boolean needsNoEscape(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != '"' && c != '\\');
    }

    /// @param waiting decisions that are not in a file yet, oldest first; left out if they exceed the limit, so that
    ///     the next search finds them in the files
    /// @param from where an earlier search ended
    /// @param within how long it may take
    static DecisionJournal.SearchResult find(
            DecisionQuery query,
            List<Decision> waiting,
            Optional<JournalPosition> from,
            Path directory,
            Duration within)
            throws IOException {
        DecisionSearch search = new DecisionSearch(query);
        if (from.isEmpty()) {
            waiting.reversed().forEach(search::take);
            if (!search.wantsMore()) {
                search.found.clear();
                search.tokens.clear();
            }
        }
        JournalWalk.End walked = JournalWalk.newestFirst(
                directory, new JournalWalk.Span(query.since(), query.before()), from, within, search::read);
        return new DecisionJournal.SearchResult(search.found, walked.next(), walked.back());
    }

    private boolean wantsMore() {
        return found.size() < query.limit();
    }

    private boolean read(String line) {
        String folded = SearchTerm.folded(line);
        if (needles.stream().allMatch(folded::contains)) {
            DecisionLine.read(line).ifPresent(this::take);
        }
        return wantsMore();
    }

    private void take(Decision decision) {
        if (wantsMore() && query.matches(decision) && tokens.add(decision.token())) {
            found.add(decision);
        }
    }
}
