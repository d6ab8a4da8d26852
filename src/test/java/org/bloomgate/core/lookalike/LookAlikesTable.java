package org.bloomgate.core.lookalike;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.url.Host;

/// Prints what each name of its input looks like: the protected domain and the trick with a tab between, or an empty
/// line. The argument is a file of protected domains. A long form of the acceptance checks runs it, with the names
/// that another program makes up.
final class LookAlikesTable {
    private LookAlikesTable() {}

    public static void main(String[] args) throws IOException {
        LookAlikes guarded = new LookAlikes(Files.readAllLines(Path.of(args[0])), People.NONE, List.of());
        BufferedReader names = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        StringBuilder table = new StringBuilder();
        for (String name = names.readLine(); name != null; name = names.readLine()) {
            Host.parse(name)
                    .flatMap(host -> guarded.find(host.text(), PublicSuffixes.bundled()))
                    .ifPresent(found -> table.append(found.of())
                            .append('\t')
                            .append(found.trick().label()));
            table.append('\n');
        }
        System.out.print(table);
    }
}
