package org.bloomgate.lists.export;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.lists.export.Statement.Excepted;
import org.bloomgate.lists.export.Statement.Listed;
import org.bloomgate.lists.export.StatementStack.Frame;

/// Turns statements about networks, a wider one before those within it, into the networks that have to be written.
final class NetworkRecords {
    private final StatementStack stack = new StatementStack();
    private final NavigableMap<byte[], List<Excepted>> exceptions = new TreeMap<>(Arrays::compareUnsigned);
    private final Output output;

    /// Receives the networks in order.
    interface Output {
        void network(AddressBlock block, RpzAction action) throws IOException;
    }

    NetworkRecords(Output output) {
        this.output = output;
    }

    private Frame next(AddressBlock block, List<Statement> statements) {
        List<Frame> frames = stack.frames();
        while (!frames.isEmpty()
                && !AddressBlock.ofBytes(frames.getLast().place, 0, frames.getLast().place.length)
                        .contains(block)) {
            frames.removeLast();
        }
        Frame frame = new Frame(block.bytes(), block.bits(), statements);
        frames.add(frame);
        return frame;
    }

    /// Where the longest network that contains an address decides: a network with the action of the one around it is
    /// not written.
    void addNested(AddressBlock block, List<Statement> statements) throws IOException {
        Frame frame = next(block, statements);
        List<Frame> frames = stack.frames();
        RpzAction around = frames.size() == 1 ? RpzAction.NONE : frames.get(frames.size() - 2).below;
        frame.below = stack.action(false, around);
        if (!frame.below.equals(around)) {
            output.network(block, frame.below);
        }
    }

    /// An exception, before all networks that [#addWhole] gets.
    void except(AddressBlock block, List<Excepted> by) {
        exceptions.put(block.bytes(), List.copyOf(by));
    }

    /// Where there are no exceptions within a network: it is written as the parts that are not excepted.
    void addWhole(AddressBlock block, List<Statement> statements) throws IOException {
        next(block, statements);
        List<Listed> listed = stack.counting();
        if (!listed.isEmpty()) {
            writeParts(block, listed);
        }
    }

    private void writeParts(AddressBlock block, List<Listed> listed) throws IOException {
        boolean excepted = false;
        for (var within : exceptions.tailMap(block.bytes(), true).entrySet()) {
            AddressBlock other = AddressBlock.ofBytes(within.getKey(), 0, within.getKey().length);
            if (!block.contains(other)) {
                break;
            }
            boolean all = listed.stream()
                    .allMatch(one -> within.getValue().stream().anyMatch(by -> by.overrides(one, false)));
            if (all && other.bits() == block.bits()) {
                return;
            }
            excepted |= all;
        }
        if (!excepted) {
            output.network(block, RpzAction.NXDOMAIN);
            return;
        }
        for (AddressBlock half : block.halves()) {
            writeParts(half, listed);
        }
    }
}
