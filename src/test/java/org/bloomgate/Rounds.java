package org.bloomgate;

/// How often a property test draws an input: a tenth of its rounds in `mvn verify`, all of them with
/// `-Dtest.rounds=all`, as `.ci/run --all` runs it.
public final class Rounds {
    public static final boolean ALL = System.getProperty("test.rounds", "").equals("all");

    private Rounds() {}

    public static int of(int all) {
        return ALL ? all : Math.max(1, all / 10);
    }
}
