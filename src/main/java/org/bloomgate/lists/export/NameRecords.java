package org.bloomgate.lists.export;

import java.io.IOException;
import java.util.List;
import org.bloomgate.lists.export.StatementStack.Frame;

/// Turns statements about names, in the order of [ReversedName], into the names that have to be written and what
/// applies at them and below them. A name whose action is that of the name above it is not written.
///
/// Wildcards of DNS end at a name that exists, if only because a name below it does (RFC 4592, section 2.2.2):
/// so every name between two written ones is written too.
final class NameRecords {
    private final StatementStack stack = new StatementStack();
    private final Output output;

    /// Receives the names in no particular order.
    interface Output {
        /// @param below what applies to all names below it that are not written themselves
        void name(String name, RpzAction itself, RpzAction below) throws IOException;
    }

    NameRecords(Output output) {
        this.output = output;
    }

    /// @param name comes after all that were added before
    void add(byte[] name, List<Statement> statements) throws IOException {
        List<Frame> frames = stack.frames();
        while (!frames.isEmpty() && !ReversedName.isBelow(name, frames.getLast().place)) {
            frames.removeLast();
        }
        RpzAction above = stack.below();
        Frame frame = new Frame(name, ReversedName.labels(name), statements);
        frames.add(frame);
        RpzAction itself = stack.action(false, above);
        frame.below = stack.action(true, above);
        if (!itself.equals(above) || !frame.below.equals(above)) {
            if (!above.equals(RpzAction.NONE)) {
                writeBetween(frames, above);
            }
            frame.written = true;
            output.name(ReversedName.text(name), itself, frame.below);
        }
    }

    /// The names between the last one of the stack and the nearest written one above it.
    private void writeBetween(List<Frame> frames, RpzAction above) throws IOException {
        Frame name = frames.getLast();
        int at = frames.size() - 2;
        while (at >= 0 && !frames.get(at).written) {
            at--;
        }
        int labels = at < 0 ? 0 : frames.get(at).width;
        while (++labels < name.width) {
            at++;
            if (frames.get(at).width != labels) {
                Frame between = new Frame(ReversedName.above(name.place, labels), labels, List.of());
                between.below = above;
                frames.add(at, between);
            }
            frames.get(at).written = true;
            output.name(ReversedName.text(frames.get(at).place), above, above);
        }
    }
}
