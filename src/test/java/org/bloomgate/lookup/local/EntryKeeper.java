package org.bloomgate.lookup.local;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.tier.Entry;

/// A process that lists one domain after the other and prints its number, until it is killed.
final class EntryKeeper {
    private static final Actor BY = new Actor("ada", Actor.Way.COMMAND, "");

    private EntryKeeper() {}

    public static void main(String[] arguments) throws Exception {
        LocalFile file = new LocalFile(new LocalOptions(Path.of(arguments[0])), InstantSource.system());
        // Ends when no one reads its output any more.
        for (int i = Integer.parseInt(arguments[1]); !System.out.checkError(); i++) {
            Entry listing = EntryParser.parse(
                    EntryTexts.of("domain", domain(i)).with(Field.REASON, "r".repeat(400)),
                    Entry.Type.LISTING,
                    Instant.now());
            file.change(BY, entries -> entries.with(listing));
            System.out.println(i);
        }
    }

    static String domain(int number) {
        return "d" + number + ".example";
    }
}
