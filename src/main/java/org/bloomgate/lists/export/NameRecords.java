package org.bloomgate.lists.export;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Turns policies of names, in the order of [ReversedName], into the names that have to be written and what
/// applies at them and below them. A name whose action is that of the name above it is not written.
///
/// Wildcards of DNS end at a name that exists, if only because a name below it does (RFC 4592, section 2.2.2):
/// so every name between two written ones is written too.
final class NameRecords {
    /// The name that was added last and those that it is below, the topmost first.
    private final List<Frame> frames = new ArrayList<>();

    private final Output output;

    /// A name with its labels in reverse order.
    private static final class Frame {
        final byte[] name;
        final int labels;
        RpzAction below;
        boolean written;

        Frame(byte[] name, int labels, RpzAction below) {
            this.name = name;
            this.labels = labels;
            this.below = below;
        }
    }

    /// Receives the names in no particular order.
    interface Output {
        /// @param below what applies to all names below it that are not written themselves
        void name(String name, RpzAction itself, RpzAction below) throws IOException;
    }

    NameRecords(Output output) {
        this.output = output;
    }

    /// @param name comes after all that were added before
    void add(byte[] name, List<ZonePolicy> policies) throws IOException {
        while (!frames.isEmpty() && !ReversedName.isBelow(name, frames.getLast().name)) {
            frames.removeLast();
        }
        RpzAction above = frames.isEmpty() ? RpzAction.NONE : frames.getLast().below;
        RpzAction itself = ZonePolicy.resolve(policies, false, above);
        Frame frame = new Frame(name, ReversedName.labels(name), ZonePolicy.resolve(policies, true, above));
        frames.add(frame);
        if (!itself.equals(above) || !frame.below.equals(above)) {
            if (!above.equals(RpzAction.NONE)) {
                writeBetween(above);
            }
            frame.written = true;
            output.name(ReversedName.text(name), itself, frame.below);
        }
    }

    /// The names between the last one and the nearest written one above it.
    private void writeBetween(RpzAction above) throws IOException {
        Frame last = frames.getLast();
        int at = frames.size() - 2;
        while (at >= 0 && !frames.get(at).written) {
            at--;
        }
        int labels = at < 0 ? 0 : frames.get(at).labels;
        while (++labels < last.labels) {
            at++;
            if (frames.get(at).labels != labels) {
                frames.add(at, new Frame(ReversedName.above(last.name, labels), labels, above));
            }
            frames.get(at).written = true;
            output.name(ReversedName.text(frames.get(at).name), above, above);
        }
    }
}
