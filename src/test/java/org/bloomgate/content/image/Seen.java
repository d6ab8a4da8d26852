package org.bloomgate.content.image;

import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.core.limit.Limit;

/// Remembers what was seen in pictures.
final class Seen implements ImageVisitor {
    final Set<String> codes = new TreeSet<>();
    final Set<String> limits = new TreeSet<>();
    private final PictureAllowance allowance = new PictureAllowance();

    static Seen in(byte[] picture) {
        Seen seen = new Seen();
        seen.look(picture);
        return seen;
    }

    void look(byte[] picture) {
        Pictures.read(picture, picture.length, this);
    }

    @Override
    public PictureAllowance pictures() {
        return allowance;
    }

    @Override
    public void reached(Limit limit) {
        limits.add(limit.label());
    }

    @Override
    public void code(String text) {
        codes.add(text);
    }
}
