package org.bloomgate.lists.export;

import java.util.ArrayList;
import java.util.List;
import org.bloomgate.core.key.Match;
import org.bloomgate.lists.export.Statement.Excepted;
import org.bloomgate.lists.export.Statement.Listed;

/// The statements about a name or network and about those that it is within, the widest first. Not thread-safe.
final class StatementStack {
    private final List<Frame> frames = new ArrayList<>();

    /// A name with its labels in reverse order, or the bytes of a network, with the number of labels or leading bits.
    static final class Frame {
        final byte[] place;
        final int width;
        final List<Statement> statements;
        RpzAction below = RpzAction.NONE;
        boolean written;

        Frame(byte[] place, int width, List<Statement> statements) {
            this.place = place;
            this.width = width;
            this.statements = statements;
        }
    }

    List<Frame> frames() {
        return frames;
    }

    /// What applies below the innermost place.
    RpzAction below() {
        return frames.isEmpty() ? RpzAction.NONE : frames.getLast().below;
    }

    /// The action that results for the innermost place, or for what is below it.
    ///
    /// @param belowOnly leaves out statements about the innermost place alone
    /// @param above what applies without them
    RpzAction action(boolean belowOnly, RpzAction above) {
        RpzAction hardest = RpzAction.NONE;
        boolean excepted = false;
        for (int i = 0; i < frames.size(); i++) {
            for (Statement statement : frames.get(i).statements) {
                if (reaches(statement, i, belowOnly)) {
                    switch (statement) {
                        case Listed listed ->
                            hardest = listed.action().compareTo(hardest) > 0 && counts(listed, i, belowOnly)
                                    ? listed.action()
                                    : hardest;
                        case Excepted exception -> excepted |= exception.isSiteWide();
                    }
                }
            }
        }
        if (hardest.blocks()) {
            return hardest;
        }
        return excepted || !above.equals(RpzAction.NONE) ? RpzAction.PASSTHRU : RpzAction.NONE;
    }

    /// The listings of the innermost place that count there.
    List<Listed> counting() {
        List<Listed> counting = new ArrayList<>();
        int last = frames.size() - 1;
        for (Statement statement : frames.getLast().statements) {
            if (statement instanceof Listed listed && counts(listed, last, false)) {
                counting.add(listed);
            }
        }
        return counting;
    }

    private boolean reaches(Statement statement, int frame, boolean belowOnly) {
        return statement.match() == Match.SUFFIX || (frame == frames.size() - 1 && !belowOnly);
    }

    private boolean counts(Listed listed, int at, boolean belowOnly) {
        for (int i = 0; i < frames.size(); i++) {
            for (Statement statement : frames.get(i).statements) {
                if (statement instanceof Excepted exception
                        && reaches(exception, i, belowOnly)
                        && exception.overrides(listed, at > i)) {
                    return false;
                }
            }
        }
        return true;
    }
}
