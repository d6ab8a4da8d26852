package org.bloomgate.content.image;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Three marks that may be the corners of one code. The picture may be stored with one side compressed and
/// stretched again by the page; then its marks are compressed in the same way.
///
/// @param fault how much they differ from a right angle with equal legs and from equal size; 0 is a perfect
/// code
record CornerTriple(Corner topLeft, Corner topRight, Corner bottomLeft, float fault) {
    /// The bounds of the distance between the centers of two marks, in modules: versions 1 and 40, with a
    /// tolerance.
    private static final float SHORTEST = 9;

    private static final float LONGEST = 200;

    /// Cosine of an angle of 65 degrees.
    private static final float MOST_COSINE = 0.42f;

    private static final float MOST_RATIO = 1.6f;

    /// All triples, the best first.
    static List<CornerTriple> of(List<Corner> corners) {
        List<CornerTriple> triples = new ArrayList<>();
        for (int i = 0; i < corners.size(); i++) {
            addWith(i, corners, triples);
        }
        List<Corner> stretched = new ArrayList<>(corners);
        stretched.removeIf(corner -> !corner.isStretched());
        for (int i = 0; i < stretched.size(); i++) {
            addStretched(i, stretched, triples);
        }
        triples.sort(Comparator.comparingDouble(CornerTriple::fault));
        return triples;
    }

    /// Adds the triples of one mark and two that are after it in the list.
    private static void addWith(int i, List<Corner> corners, List<CornerTriple> triples) {
        for (int j = i + 1; j < corners.size(); j++) {
            if (!areAlike(corners.get(i), corners.get(j))) {
                continue;
            }
            for (int k = j + 1; k < corners.size(); k++) {
                add(corners.get(i), corners.get(j), corners.get(k), triples);
            }
        }
    }

    /// Adds the triples of one stretched mark in a picture in which this mark is square.
    private static void addStretched(int i, List<Corner> stretched, List<CornerTriple> triples) {
        Map<Corner, Corner> stored = new HashMap<>();
        List<Corner> shown = new ArrayList<>();
        for (Corner corner : stretched) {
            shown.add(corner.unstretched(stretched.get(i).stretch()));
            stored.put(shown.getLast(), corner);
        }
        List<CornerTriple> found = new ArrayList<>();
        addWith(i, shown, found);
        for (CornerTriple three : found) {
            triples.add(new CornerTriple(
                    stored.getOrDefault(three.topLeft, three.topLeft),
                    stored.getOrDefault(three.topRight, three.topRight),
                    stored.getOrDefault(three.bottomLeft, three.bottomLeft),
                    three.fault));
        }
    }

    private static boolean areAlike(Corner one, Corner other) {
        float ratio = one.module() / other.module();
        float distance = distance(one, other) / Math.max(one.module(), other.module());
        return ratio < MOST_RATIO && ratio > 1 / MOST_RATIO && distance > SHORTEST && distance < LONGEST * 1.5f;
    }

    /// The right angle is opposite to the longest side.
    private static void add(Corner a, Corner b, Corner c, List<CornerTriple> triples) {
        if (!areAlike(a, c) || !areAlike(b, c)) {
            return;
        }
        float ab = distance(a, b);
        float bc = distance(b, c);
        float ca = distance(c, a);
        if (bc >= ab && bc >= ca) {
            addAt(a, b, c, triples);
        } else if (ca >= ab) {
            addAt(b, c, a, triples);
        } else {
            addAt(c, a, b, triples);
        }
    }

    private static void addAt(Corner angle, Corner one, Corner other, List<CornerTriple> triples) {
        float oneX = one.x() - angle.x();
        float oneY = one.y() - angle.y();
        float otherX = other.x() - angle.x();
        float otherY = other.y() - angle.y();
        float one2 = distance(angle, one);
        float other2 = distance(angle, other);
        float cosine = Math.abs(oneX * otherX + oneY * otherY) / (one2 * other2);
        float ratio = Math.max(one2, other2) / Math.min(one2, other2);
        if (cosine > MOST_COSINE || ratio > MOST_RATIO) {
            return;
        }
        float largest = Math.max(angle.module(), Math.max(one.module(), other.module()));
        float smallest = Math.min(angle.module(), Math.min(one.module(), other.module()));
        float fault = cosine + (ratio - 1) + (largest / smallest - 1) / 4 + (one2 + other2) / largest / 4096;
        boolean clockwise = oneX * otherY > oneY * otherX;
        triples.add(new CornerTriple(angle, clockwise ? one : other, clockwise ? other : one, fault));
    }

    static float distance(Corner one, Corner other) {
        return (float) Math.hypot(one.x() - other.x(), one.y() - other.y());
    }
}
