package org.bloomgate.content.archive;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;

/// Takes every member of an archive, and remembers names, texts and limits.
final class Opened implements ArchiveVisitor {
    final List<String> members = new ArrayList<>();
    final List<Integer> lengths = new ArrayList<>();
    private final Allowance allowance = new Allowance(MessageLimits.defaults());

    @Override
    public boolean spendUnpacked(long bytes) {
        return spend(bytes);
    }

    @Override
    public boolean spend(long units) {
        return true;
    }

    Set<String> limits() {
        return Set.copyOf(Limit.labels(allowance.reached()));
    }

    @Override
    public void reached(Limit limit) {
        allowance.reached(limit);
    }

    @Override
    public Allowance allowance() {
        return allowance;
    }

    @Override
    public boolean wantsMember(String name, byte[] head, int length) {
        return !name.endsWith(".png");
    }

    @Override
    public void visitMember(String name, byte[] bytes, int length) {
        String text = new String(bytes, 0, Math.min(length, 40), StandardCharsets.ISO_8859_1);
        members.add(name + "=" + text);
        lengths.add(length);
    }
}
