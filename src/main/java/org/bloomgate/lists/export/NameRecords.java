package org.bloomgate.lists.export;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Converts policies of names, in the order of [ReversedName], to the names that have to be written, with the
/// actions at and below them. A name with the action of the name above it is not written.
///
/// A DNS wildcard does not apply below a name that exists, also if only a name below it has records (RFC 4592,
/// section 2.2.2). So every name between two written ones is written too.
final class NameRecords {
    /// The last added name and the names above it, the topmost first.
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
        /// @param below action for all names below it that are not written themselves
        void name(String name, RpzAction itself, RpzAction below) throws IOException;
    }

    NameRecords(Output output) {
        this.output = output;
    }

    /// @param name sorts after all names added before
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

    /// Writes the names between the last one and the nearest written one above it.
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
