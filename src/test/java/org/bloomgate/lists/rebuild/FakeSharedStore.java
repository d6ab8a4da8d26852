package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.lookup.store.ExactPublisher;
import org.bloomgate.lookup.store.SortedStore;

/// Records in words what it is asked for.
final class FakeSharedStore implements ExactPublisher {
    final List<String> calls = new ArrayList<>();
    String refusal = "";
    String retirement = "";
    private final RebuildRig rig;

    FakeSharedStore(RebuildRig rig) {
        this.rig = rig;
    }

    @Override
    public void publish(Built built, Progress progress) throws IOException {
        if (!refusal.isEmpty()) {
            throw new IOException(refusal);
        }
        SortedStore.open(built.directory()).close();
        calls.add("publish " + built.entries() + " of " + built.generation() + " with "
                + rig.current().orElse("none") + " current");
        progress.advance(built.entries(), built.entries());
    }

    @Override
    public void retireOthers(String layer, String generation) throws IOException {
        if (!retirement.isEmpty()) {
            throw new IOException(retirement);
        }
        assertEquals(Optional.of(generation), rig.current());
        calls.add("retire all but " + generation);
    }
}
