package org.bloomgate.content.image;

import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;

/// Remembers what was seen in pictures.
final class Seen extends ImageVisitor {
    final Set<String> codes = new TreeSet<>();

    Seen() {
        super(new Allowance(MessageLimits.defaults()));
    }

    static Seen in(byte[] picture) {
        Seen seen = new Seen();
        seen.look(picture);
        return seen;
    }

    void look(byte[] picture) {
        Pictures.read(picture, picture.length, this);
    }

    Set<String> limits() {
        return Set.copyOf(Limit.labels(allowance().reached()));
    }

    @Override
    public void code(String text) {
        codes.add(text);
    }
}
